"""What the scripts do that run imports and commands inside an image: run here, by this Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.values import lock, recipe, wheel
from xpubuild.checks import suite_for
from xpubuild.model.recipe import CommandCheck, ImportCheck

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.model.recipe import Check

NONCE = "0123abcd"
SAID = f"xpubuild-nonce: {NONCE}"


def started(folder: Path, check: Check, *, locked: str | None) -> subprocess.Popen[str]:
    """The driver of a check, in `folder`, which also stands for the image's site-packages."""
    wheels = (wheel("gizmo", locked),) if locked else ()
    (case,) = suite_for((recipe("gizmo", "gizmo", checks=(check,)),), lock(*wheels), {}).cases
    ((_, text, _),) = case.files
    (folder / "check.py").write_text(text)
    environment = os.environ | dict(case.environment) | {"XPUBUILD_NONCE": NONCE, "PYTHONPATH": str(folder)}
    return subprocess.Popen(
        [sys.executable, str(folder / "check.py")],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def told(folder: Path, check: Check, *, locked: str | None = "1.2") -> tuple[int, list[str]]:
    """Exit code and lines of a driver that ran to its end."""
    with started(folder, check, locked=locked) as driver:
        out, _ = driver.communicate(timeout=60)
    return driver.returncode, out.splitlines()


def install(folder: Path, *, version: str, module_says: str | None) -> None:
    (folder / "gizmo.py").write_text(f"__version__ = {module_says!r}\n" if module_says else "")
    information = folder / f"gizmo-{version}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gizmo\nVersion: {version}\n")


IMPORT = ImportCheck(name="gizmo-import", module="gizmo", distribution="gizmo")


@pytest.mark.parametrize("module_says", ["1.2", "1.2+cu124", None])
def test_an_import_at_the_locked_version_gives_the_nonce(tmp_path: Path, module_says: str | None) -> None:
    install(tmp_path, version="1.2", module_says=module_says)
    assert told(tmp_path, IMPORT) == (0, [f"gizmo 1.2 from {tmp_path}/gizmo.py", SAID])


@pytest.mark.parametrize(
    ("version", "module_says", "locked", "said"),
    [
        ("1.20", None, "1.2", "gizmo 1.20 is installed, 1.2 is locked"),
        ("1.2", "1.20", "1.2", "gizmo.__version__ is 1.20, 1.2 is locked"),
        ("1.2", "1", "1.2", "gizmo.__version__ is 1, 1.2 is locked"),
        ("1.2", "1.2", "1.2+ali", "gizmo 1.2 is installed, 1.2+ali is locked"),
        ("1.2", "1.2", None, "the lock has no distribution gizmo"),
    ],
)
def test_another_version_than_the_locked_one_fails(
    tmp_path: Path, *, version: str, module_says: str | None, locked: str | None, said: str
) -> None:
    install(tmp_path, version=version, module_says=module_says)
    assert told(tmp_path, IMPORT, locked=locked) == (1, [said])


def test_a_module_that_ends_the_process_gives_no_nonce(tmp_path: Path) -> None:
    install(tmp_path, version="1.2", module_says=None)
    (tmp_path / "gizmo.py").write_text("raise SystemExit(0)\n")
    assert told(tmp_path, IMPORT) == (0, [])


def command(*words: str, expects: str = "", exit_code: int = 0) -> CommandCheck:
    return CommandCheck(name="gizmo-runs", command=words, expects=expects, exit_code=exit_code)


@pytest.mark.parametrize(
    ("check", "code", "lines"),
    [
        (command("sh", "-c", "echo a 17", expects=r"^a \d+"), 0, ["a 17", SAID]),
        (command("sh", "-c", "echo a >&2; exit 3", expects="a", exit_code=3), 0, ["a", SAID]),
        (command("printf", "no end of line", expects="line$"), 0, ["no end of line", SAID]),
        (command("sh", "-c", "exit 3"), 1, ["exit code 3 instead of 0"]),
        (command("sh", "-c", "kill -SEGV $$"), 1, ["exit code -11 instead of 0"]),
        (command("echo", "b", expects="^a"), 1, ["b", "the output does not match '^a'"]),
        (command("sh", "-c", "echo ${XPUBUILD_NONCE-none}", expects="none"), 0, ["none", SAID]),
        (
            command("no-such-command"),
            1,
            ["the command cannot be started: [Errno 2] No such file or directory: 'no-such-command'"],
        ),
    ],
)
def test_a_command_is_held_against_exit_code_and_output(
    tmp_path: Path, *, check: CommandCheck, code: int, lines: list[str]
) -> None:
    assert told(tmp_path, check) == (code, lines)


def test_what_a_command_says_is_in_the_log_before_it_ends(tmp_path: Path) -> None:
    with started(tmp_path, command("sh", "-c", "echo waiting; exec cat"), locked=None) as driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == "waiting\n"
        driver.send_signal(signal.SIGKILL)
