"""Locks, resolved for real: what a release contradicts, what moves and what does not."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT, xpubuild
from xpubuild.model.lock_codec import read_lock, write_lock

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tiny import Mirror, Tiny
    from xpubuild.model.lock import Lock

pytestmark = pytest.mark.engine

FAMILY = "images/training-xpu-pytorch"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv", ".git", ".*_cache", "__pycache__"))
    return folder


def read(clone: Path) -> Lock:
    return read_lock((clone / FAMILY / "25.03.cuda.lock").read_text(), where="25.03")


def versions(lock: Lock) -> dict[str, str]:
    return {wheel.name: wheel.version for wheel in lock.wheels}


def lock(clone: Path, *words: str, code: int = 0, **environment: str) -> str:
    done = xpubuild("lock", *words, XPUBUILD_CHECKOUT=str(clone), **environment)
    assert done.returncode == code, done.stderr
    return done.stderr


def test_a_lock_made_again_is_the_same_to_the_byte(clone: Path) -> None:
    before = (clone / FAMILY / "25.03.cuda.lock").read_bytes()
    lock(clone, "25.03")
    assert (clone / FAMILY / "25.03.cuda.lock").read_bytes() == before


def test_pins_stay_and_an_upgrade_moves_its_distribution_alone(clone: Path) -> None:
    committed = read(clone)
    older = tuple(
        replace(wheel, version={"py-spy": "0.3.14", "tqdm": "4.66.6"}.get(wheel.name, wheel.version))
        for wheel in committed.wheels
    )
    (clone / FAMILY / "25.03.cuda.lock").write_text(write_lock(replace(committed, wheels=older)))
    lock(clone, "25.03")
    kept = versions(read(clone))
    assert (kept["py-spy"], kept["tqdm"]) == ("0.3.14", "4.66.6")
    lock(clone, "25.03", "--upgrade", "py-spy")
    moved = versions(read(clone))
    assert {name for name in moved if moved[name] != kept[name]} == {"py-spy"}
    assert moved["py-spy"] == versions(committed)["py-spy"]


def test_a_contradiction_is_told_with_the_override_to_write(clone: Path) -> None:
    path = clone / FAMILY / "25.03.toml"
    text = path.read_text()
    start, end = text.index("[[editions.cuda.overrides]]"), text.index("[editions.ppu]")
    path.write_text(text[:start] + text[end:])
    told = lock(clone, "25.03", code=2)
    assert "vllm==0.7.3 demands ray[adag]==2.40.0, the release has ray[adag]==2.43.0" in told
    assert '    requirement = "ray[adag]==2.43.0"\n' in told


def test_a_check_names_what_changed_and_changes_nothing(clone: Path) -> None:
    path = clone / FAMILY / "25.03.toml"
    path.write_text(path.read_text().replace('accelerate = "1.5.2"', 'accelerate = "1.5.1"'))
    before = (clone / FAMILY / "25.03.cuda.lock").read_bytes()
    told = lock(clone, "25.03", "--check", code=3)
    assert "requirements: - accelerate==1.5.2\n  requirements: + accelerate==1.5.1\n" in told
    assert (clone / FAMILY / "25.03.cuda.lock").read_bytes() == before


def test_a_check_names_each_file_that_is_gone(tiny: Tiny) -> None:
    for name in ("alpha", "beta"):
        tiny.mirror.faults[tiny.wheels[name].artifact.origin.path] = [404]
    told = lock(tiny.folder, "1.0", "--check", code=4, XPUBUILD_CONFIG=str(tiny.folder / "site.toml"))
    assert [line.split(": ")[-1] for line in told.splitlines() if line.startswith("error")] == [
        "alpha-1.0-py3-none-any.whl is no longer served",
        "beta-1.0-py3-none-any.whl is no longer served",
    ]


def test_a_mirror_that_does_not_answer_is_worth_another_try(tiny: Tiny, mirror: Mirror) -> None:
    mirror.faults[tiny.wheels["alpha"].artifact.origin.path] = [503]
    told = lock(tiny.folder, "1.0", "--check", code=75, XPUBUILD_CONFIG=str(tiny.folder / "site.toml"))
    assert "the mirror of alpha-1.0-py3-none-any.whl is busy" in told
    (tiny.folder / "dead.toml").write_text(f'[index]\nurl = "{mirror.url}/simple"\nfiles = "http://127.0.0.1:9"\n')
    told = lock(tiny.folder, "1.0", "--check", code=75, XPUBUILD_CONFIG=str(tiny.folder / "dead.toml"))
    assert "the mirror does not answer" in told
