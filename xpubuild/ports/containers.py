"""Containers that smoke tests run in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One container to run to its end.

    `image` is a reference by digest. `entrypoint` None keeps the image's own. `files` are (absolute path in the container,
    text, mode), laid before the start. `seconds` bounds its wall time; `memory` and `shm` in bytes. `network` False means
    none at all; `host` shares the host's network and IPC and gives every right; `capabilities` are added ones. `signal` is
    sent once the log holds the line `ready`.
    """

    image: str
    name: str
    command: tuple[str, ...]
    entrypoint: tuple[str, ...] | None
    environment: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str, int], ...]
    seconds: float
    memory: int
    shm: int
    network: bool = False
    host: bool = False
    device: bool = False
    capabilities: tuple[str, ...] = ()
    signal: str | None = None


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
            MachineError: the engine is gone, cannot make the container, or no longer has it; or `stop_all` was called.
        """

    def sweep(self) -> tuple[str, ...]:
        """Remove containers that killed runs of ours left, in whatever state; their names.

        Those of a live run stay. Whether a run of another machine lives cannot be seen: its containers stay until the
        time is over that they may take.

        Raises:
            MachineError: the engine is gone.
        """

    def stop_all(self) -> None:
        """Remove the containers of this object's runs: every `run` that waits ends soon, none begins. Never raises."""

    def has_device(self) -> bool:
        """Whether the engine can give containers an accelerator.

        Raises:
            MachineError: the engine is gone.
        """

    def memory(self) -> int:
        """Bytes of memory that the engine's machine has.

        Raises:
            MachineError: the engine is gone.
        """
