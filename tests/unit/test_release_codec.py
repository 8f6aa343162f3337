"""Families and releases: every fault at once, each with file and key."""

from __future__ import annotations

import pytest

from xpubuild.errors import InputError, XpubuildError, leaves_of
from xpubuild.model.release import Component, EditionRule, Family, LayerLimits, Override, TagRules, Target
from xpubuild.model.release_codec import read_family, read_release

RELEASE = """
release = "25.10"
cut-off = "2025-10-01"
[editions.cuda]
base = "debian-12"
[editions.cuda.components]
torch = "2.5.1"
deepspeed = { version = "0.15.4", carried-from = "24.11" }
[[editions.cuda.overrides]]
requirement = "ray[adag]==2.43.0"
against = "vllm 0.7.3 demands ray[adag]==2.40.0"
reason = "notes"
"""


def read(text: str, name: str = "25.10") -> object:
    return read_release(text, where="x.toml", name=name, family="f")


def faults(text: str, name: str = "25.10") -> list[str]:
    with pytest.raises(XpubuildError) as caught:
        read(text, name)
    return [str(leaf) for leaf in leaves_of(caught.value)]


def test_a_release_is_read() -> None:
    release = read_release(RELEASE, where="x.toml", name="25.10", family="f")
    (edition,) = release.editions
    assert release.name == "25.10"
    assert edition.components == (
        Component(name="torch", version="2.5.1"),
        Component(name="deepspeed", version="0.15.4", carried_from="24.11"),
    )
    assert edition.overrides == (
        Override(requirement="ray[adag]==2.43.0", against="vllm 0.7.3 demands ray[adag]==2.40.0", reason="notes"),
    )


@pytest.mark.parametrize("value", ["25.10", "7", "1e9"])
def test_a_version_without_quotes_is_refused_with_the_reason(value: str) -> None:
    (fault,) = faults(RELEASE.replace('torch = "2.5.1"', f"torch = {value}"))
    assert fault == (
        f"x.toml: editions.cuda.components.torch: {value} has to be a string: "
        "without quotes TOML reads a number, and 25.10 becomes 25.1"
    )


def test_the_hint_quotes_a_number_as_it_was_written() -> None:
    with pytest.raises(InputError) as caught:
        read(RELEASE.replace('release = "25.10"', "release = 25.10"))
    assert caught.value.hint == 'write it in quotes: "25.10"'


def test_the_release_name_itself_is_no_number() -> None:
    (fault,) = faults(RELEASE.replace('release = "25.10"', "release = 25.10"))
    assert fault.startswith("x.toml: release: 25.10 has to be a string")


def test_all_faults_are_told_at_once() -> None:
    text = RELEASE.replace("cut-off", "cutoff").replace("base =", "bse =").replace('"ray[adag]==2.43.0"', '"ray[=="')
    assert [fault.split(": ", 2)[1] for fault in faults(text)] == [
        "cutoff",
        "cut-off",
        "editions.cuda.bse",
        "editions.cuda.base",
        "editions.cuda.overrides[0].requirement",
    ]


def test_the_nearest_key_is_named() -> None:
    with pytest.raises(InputError) as caught:
        read(RELEASE + "\n[editions.cuda.component]\n".replace("component", "componentz"))
    assert caught.value.hint == "did you mean components?"


def test_broken_toml_is_told_with_its_line() -> None:
    with pytest.raises(InputError) as caught:
        read('release = "25.10"\ncut-off = \n')
    assert caught.value.where == "x.toml:2"


def test_file_and_release_have_one_name() -> None:
    (fault,) = faults(RELEASE, name="25.1")
    assert fault == "x.toml: release: the file is named 25.1, the release 25.10"


FAMILY = """
name = "f"
title = "F"
default-edition = "cuda"
time-zone = "Asia/Shanghai"
runner = "r"
[tags]
release = "{release}"
post = "{release}.post{number}"
nightly = "{release}-nightly-{date}"
[limits]
layers = 60
layer-bytes = 2_000_000_000
[editions.cuda]
repository = "f-cuda"
[targets.vpc]
host = "registry-vpc.{region}.example"
namespace = "n"
regions = ["cn-beijing"]
"""


def family_faults(text: str) -> list[str]:
    with pytest.raises(XpubuildError) as caught:
        read_family(text, where="family.toml")
    return [str(leaf) for leaf in leaves_of(caught.value)]


def test_a_family_is_read() -> None:
    assert read_family(FAMILY, where="family.toml") == Family(
        name="f",
        title="F",
        default_edition="cuda",
        editions=(EditionRule(name="cuda", repository="f-cuda"),),
        targets=(Target(name="vpc", host="registry-vpc.{region}.example", namespace="n", regions=("cn-beijing",)),),
        tags=TagRules(release="{release}", post="{release}.post{number}", nightly="{release}-nightly-{date}"),
        limits=LayerLimits(layers=60, layer_bytes=2_000_000_000),
        time_zone="Asia/Shanghai",
        runner="r",
    )


@pytest.mark.parametrize(
    ("right", "wrong", "fault"),
    [
        ('regions = ["cn-beijing"]', "", "targets.vpc.host: {region} in the host and a list of regions go together"),
        ("layers = 60", 'layers = "60"', "limits.layers: has to be a whole number above 0"),
        ("layers = 60", "layers = 0", "limits.layers: has to be a whole number above 0"),
        ("layers = 60", "", "limits.layers: is missing"),
        (".post{number}", ".post", "tags.post: has to hold {release} and {number}, each once"),
        ("-nightly-{date}", "+nightly-{date}", "tags.nightly: makes no valid tag"),
        ('default-edition = "cuda"', 'default-edition = "rocm"', "default-edition: there is no edition rocm"),
        ('"f-cuda"', '"F-cuda"', "editions.cuda.repository: 'n/F-cuda' is no valid repository name"),
    ],
)
def test_what_a_family_has_wrong_is_told_with_its_key(right: str, wrong: str, fault: str) -> None:
    assert family_faults(FAMILY.replace(right, wrong)) == [f"family.toml: {fault}"]


def test_a_name_with_a_point_stays_whole() -> None:
    release = read_release(
        RELEASE.replace('torch = "2.5.1"', '"py.spy" = "1"'), where="x.toml", name="25.10", family="f"
    )
    assert release.editions[0].components[0] == Component(name="py.spy", version="1")


@pytest.mark.parametrize("version", ["1.4.3-hotfix", "1.4.3-8", "v1.4.3-8", "2.5.1.6", "0.15.4+ali", "1.3.7.1-v2503"])
def test_a_vendors_version_stays_as_it_is_written(version: str) -> None:
    text = RELEASE.replace('torch = "2.5.1"', f'torch = "{version}"')
    release = read_release(text, where="x.toml", name="25.10", family="f")
    assert release.editions[0].components[0].version == version


@pytest.mark.parametrize("day", ['"2025-13-01"', '"1 April"', "2025-04-01", "20250401"])
def test_a_day_is_an_iso_date_in_quotes(day: str) -> None:
    (fault,) = faults(RELEASE.replace('"2025-10-01"', day))
    assert fault == "x.toml: cut-off: has to be a day in quotes"
