"""Interrupts and kills leave nothing running and nothing that breaks the next build."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT, xpubuild

if TYPE_CHECKING:
    from tests.tiny import Tiny

pytestmark = pytest.mark.engine


def start(tiny: Tiny, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "xpubuild", "build", "1.0", "--no-test", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | tiny.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def clients(after: float = 0.0) -> list[str]:
    """The command lines of docker clients that bake, once they had time to end."""
    end = time.monotonic() + after
    while True:
        found = [
            line
            for line in map(_command_line, Path("/proc").glob("[0-9]*"))
            if "buildx bake" in line and "tiny" in line
        ]
        found = [line for line in found if "/builds/" in line and "-1.0.cuda-" in line] or found
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.1)


def _command_line(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def slow(tiny: Tiny) -> None:
    """Make a step that takes long."""
    script = tiny.folder / "buildkit/stages/verify_roots.py"
    script.write_text("import time\nprint('step is running', flush=True)\ntime.sleep(120)\n")


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_the_build_and_its_client(tiny: Tiny, sent: signal.Signals, code: int) -> None:
    slow(tiny)
    running = start(tiny)
    assert running.stderr is not None
    for line in running.stderr:
        if line.startswith("verify: running"):
            break
    running.send_signal(sent)
    _, errors = running.communicate(timeout=30)
    assert running.returncode == code, errors
    assert "nothing is left running" in errors
    assert "Traceback" not in errors
    assert clients(after=5) == []


def test_a_killed_build_leaves_no_client_and_the_next_gives_the_same_digest(tiny: Tiny) -> None:
    whole = xpubuild("build", "1.0", "--no-test", "--json", **tiny.environment)
    digest = json.loads(whole.stdout.splitlines()[-1])["digest"]
    dice = random.Random(25)  # noqa: S311 - points of time, no secrets
    for _ in range(6):
        running = start(tiny, "--no-cache")
        time.sleep(dice.uniform(0.2, 4.0))
        running.kill()
        running.communicate()
    assert clients(after=15) == []
    again = xpubuild("build", "1.0", "--no-test", "--no-cache", "--json", **tiny.environment)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout.splitlines()[-1])["digest"] == digest


def test_two_builds_of_one_release_at_once_both_end_well(tiny: Tiny) -> None:
    both = [start(tiny, "--no-cache"), start(tiny, "--no-cache")]
    outcomes = [running.communicate(timeout=300) for running in both]
    assert [running.returncode for running in both] == [0, 0], outcomes
    assert outcomes[0][0].splitlines()[0] == outcomes[1][0].splitlines()[0]
