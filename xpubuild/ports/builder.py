"""What builds a rendered graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from xpubuild.ports.engine import Engine
    from xpubuild.progress import Building


@dataclass(frozen=True, slots=True, kw_only=True)
class BakeRequest:
    """One bake of the target `target` in `directory`; logs go to `logs`, `rawjson.log` and one file a node.

    `sizes` in bytes of the files to fetch, by sha256, so that progress can tell bytes.
    """

    directory: Path
    target: str
    logs: Path
    no_cache: bool = False
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baked:
    """What came out: the manifest digest, for each node whether it was cached, and the seconds of those that ran.

    A node that an attempt before the last one ran was not cached.
    """

    digest: str
    cached: Mapping[str, bool]
    seconds: Mapping[str, float]


class Builder(Protocol):
    """BuildKit, through buildx."""

    def identity(self, engine: Engine) -> str:
        """What tells this engine's store from any other, also after its data was removed.

        Raises:
            MachineError: the engine does not answer.
        """

    def bake(self, engine: Engine, request: BakeRequest, emit: Callable[[Building], None]) -> Baked:
        """Build and push; `emit` gets the state after each event.

        Raises:
            BuildError: a step failed; its node, command, own last lines and log file.
            GoneError, TransientError: a locked file cannot be fetched, and why.
            MachineError: the engine is gone or its disk is full.
        """

    def holds(self, engine: Engine, reference: str) -> bool:
        """Whether the engine's own store has this image."""
