"""Containers that smoke tests run in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One container to run to its end.

    `entrypoint` None bypasses nothing: the image's own entrypoint is used. `files` are (absolute path in the container,
    text, mode) laid before start. `memory` and `shm` in bytes. `network` False means none at all.
    """

    image: str
    name: str
    command: tuple[str, ...]
    entrypoint: tuple[str, ...] | None
    environment: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str, int], ...]
    seconds: float
    memory: int
    shm: int
    network: bool
    host: bool = False
    ptrace: bool = False
    signal_after: tuple[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a container ended: `exit_code` None when it did not end by itself; `log` is all that it printed."""

    exit_code: int | None
    timed_out: bool
    out_of_memory: bool
    seconds: float
    log: str


class Containers(Protocol):
    """A container engine."""

    def run(self, run: Run) -> Outcome:
        """Run, wait, take the whole log, remove the container in every case.

        Raises:
            MachineError: the engine is gone or cannot make the container.
        """

    def sweep(self) -> tuple[str, ...]:
        """Remove containers that an earlier, killed run of ours left, in whatever state; their names."""
