"""Families and releases: every fault at once, each with file and key."""

from __future__ import annotations

import pytest

from xpubuild.errors import InputError, XpubuildError, leaves_of
from xpubuild.model.release import Component, Override
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
    assert fault.startswith("x.toml: editions.cuda.components.torch: a version has to be a string")
    assert "25.10 becomes 25.1" in fault


def test_the_release_name_itself_is_no_number() -> None:
    (fault,) = faults(RELEASE.replace('release = "25.10"', "release = 25.10"))
    assert fault.startswith("x.toml: release: a version has to be a string")


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


def test_a_regional_host_and_its_regions_go_together() -> None:
    text = """
name = "f"
title = "F"
default-edition = "cuda"
time-zone = "Asia/Shanghai"
runner = "r"
[editions.cuda]
repository = "f-cuda"
[targets.vpc]
host = "registry-vpc.{region}.example"
namespace = "n"
"""
    with pytest.raises(InputError, match="go together"):
        read_family(text, where="family.toml")
    assert read_family(text + 'regions = ["cn-beijing"]\n', where="family.toml").targets[0].regions == ("cn-beijing",)
