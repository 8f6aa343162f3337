"""What integration tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tiny import Mirror, Tiny

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from xpubuild.ports.engine import Engine


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
