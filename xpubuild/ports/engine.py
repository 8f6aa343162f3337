"""The BuildKit engine that builds run on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """A usable engine.

    `host` is its address for DOCKER_HOST (`unix:///…`); `docker` the client binary to speak with, `docker_configuration`
    the DOCKER_CONFIG directory whose buildx plugin fits; `builder` a named buildx builder or None for the docker driver;
    `versions` are (program, version) pairs; `data_root` is where its data lies on this machine, None when remote.
    """

    host: str
    docker: str
    docker_configuration: str | None
    builder: str | None
    versions: tuple[tuple[str, str], ...]
    data_root: str | None
    private: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRegistry:
    """One embedded registry: the target it stands for (`public`, `vpc:local`) and its address, `127.0.0.1:5077`."""

    target: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStatus:
    """What `engine status` tells. `engine` is None when it does not run; `free_bytes` of the data root's file system."""

    engine: Engine | None
    registries: tuple[LocalRegistry, ...]
    running_registries: tuple[LocalRegistry, ...]
    state_directory: str
    used_bytes: int
    free_bytes: int


class Engines(Protocol):
    """Finds, starts and stops engines."""

    def find(self, *, builder: str | None = None) -> Engine | None:
        """The engine to use, in this order: `builder` or DOCKER_HOST; a running private engine; a usable Docker. None: none.

        Raises:
            MachineError: what was asked for by name cannot be used; says why (old BuildKit, no containerd image store…).
        """

    def up(self) -> EngineStatus:
        """Start the private engine and the embedded registries, installing what they need; nothing when they run."""

    def serve_registries(self) -> tuple[LocalRegistry, ...]:
        """Start the embedded registries alone, beside an engine that others run; nothing when they run."""

    def down(self) -> tuple[str, ...]:
        """Stop exactly what `up` started; the names of what was stopped."""

    def registries(self) -> tuple[LocalRegistry, ...]:
        """The embedded registries, running or not; the one for `public` first."""

    def status(self) -> EngineStatus:
        """Look, change nothing."""
