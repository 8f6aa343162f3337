"""What tests share: the real engine and registries, started through the console command and left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from xpubuild import wiring

if TYPE_CHECKING:
    from xpubuild.ports.engine import Engine

ROOT = Path(__file__).resolve().parent.parent

# A shell that runs us in the background has us ignore interrupts, and so would all that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


def xpubuild(
    *words: str, cwd: Path = ROOT, seconds: float = 900, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the console command as a user would, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "xpubuild", *words],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=seconds,
        check=False,
    )


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def engine() -> Engine:
    """The private engine; a test that needs it fails where it cannot be had."""
    done = xpubuild("engine", "up")
    assert done.returncode == 0, done.stderr
    found = wiring.engines().find()
    assert found is not None
    return found


@pytest.fixture(scope="session")
def registry_address(engine: Engine) -> str:
    """`host:port` of the embedded registry that stands for `public`."""
    assert engine
    return wiring.engines().registries()[0].address
