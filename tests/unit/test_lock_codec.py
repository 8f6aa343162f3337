"""A lock's text: inverse to the byte, and an edit by hand is seen."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT
from tests.values import base, builder, deb, lock, sdist, wheel
from xpubuild.errors import LockError
from xpubuild.model.lock import LocalFile, SharedPath
from xpubuild.model.lock_codec import read_builder_lock, read_lock, write_builder_lock, write_lock

if TYPE_CHECKING:
    from pathlib import Path

LOCK = lock(
    wheel("a", "1.0", "b>=1"),
    wheel("b", "2.0"),
    sdists=(sdist("c", "3.0", "a", build=("setuptools-75-py3-none-any.whl",)),),
    build=(wheel("setuptools", "75"),),
    system=(deb("gdb"), deb("libc6")),
    base=base(deb("apt"), deb("dpkg")),
    shared_paths=(SharedPath(path="site/nvidia/__init__.py", distributions=("a", "b"), same=True),),
    files=(LocalFile(path="recipes/x.sh", sha256="0" * 64),),
)
COMMITTED = sorted((ROOT / "images").glob("*/*.lock"))


def test_reading_gives_back_what_was_written() -> None:
    assert read_lock(write_lock(LOCK), where="x.lock") == LOCK
    assert read_builder_lock(write_builder_lock(builder()), where="b.lock") == builder()


def test_an_artifact_is_one_line() -> None:
    lines = [line for line in write_lock(LOCK).splitlines() if '"file": ' in line]
    assert len(lines) == 8


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.name)
def test_committed_locks_are_as_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert write_lock(read_lock(text, where=path.name)) == text


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.name)
def test_committed_locks_name_no_host(path: Path) -> None:
    assert "://" not in path.read_text(encoding="utf-8")


def test_committed_locks_are_there() -> None:
    assert [path.name for path in COMMITTED] == ["24.11.cuda.lock", "25.03.cuda.lock"]


def test_an_edit_by_hand_is_seen() -> None:
    text = write_lock(LOCK).replace('"version": "2.0"', '"version": "2.1"')
    with pytest.raises(LockError, match="edited by hand") as caught:
        read_lock(text, where="x.lock")
    assert caught.value.where == "x.lock: digest"


@pytest.mark.parametrize(
    ("text", "brief"),
    [
        ("", "this is no lock"),
        ("[]", "holds no JSON object"),
        ("{}", "the lock has schema None"),
        (json.dumps({"schema": 99}), "the lock has schema 99"),
    ],
)
def test_what_is_no_lock_is_refused(text: str, brief: str) -> None:
    with pytest.raises(LockError, match=brief):
        read_lock(text, where="x.lock")


def test_an_unknown_key_is_named_with_the_nearest() -> None:
    content = json.loads(write_lock(LOCK)) | {"wheel": []}
    with pytest.raises(LockError) as caught:
        read_lock(json.dumps(content), where="x.lock")
    assert (caught.value.where, caught.value.hint) == ("x.lock: wheel", "did you mean wheels?")
