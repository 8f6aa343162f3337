"""What integration tests share."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.tiny import Mirror, Tiny

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from xpubuild.ports.engine import Engine


@pytest.fixture(scope="session", autouse=True)
def _leave_no_images(engine: Engine) -> Iterator[None]:
    """What tests built goes from the engine at their end; its cache is the engine's own to collect."""
    yield
    docker = [engine.docker, "--host", engine.host, "image"]
    listed = subprocess.run(
        [*docker, "ls", "--format", "{{.Repository}}:{{.Tag}}"], check=True, capture_output=True, text=True
    )
    if names := [name for name in listed.stdout.split() if "/tests/tiny:" in name]:
        subprocess.run([*docker, "rm", "--force", *names], check=False, capture_output=True)


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    """A mirror of the test's own."""
    with Mirror() as served:
        yield served


@pytest.fixture
def tiny(tmp_path: Path, mirror: Mirror, engine: Engine) -> Tiny:
    """A checkout of the test's own, with two distributions, beside the real engine."""
    assert engine
    made = Tiny(tmp_path / "checkout", mirror)
    made.have("alpha")
    made.have("beta")
    return made
