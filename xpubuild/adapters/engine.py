"""Find, start and stop BuildKit engines, and the registries that are embedded beside the private one."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from xpubuild.adapters.daemons import Daemons
from xpubuild.adapters.embedded_registries import TARGETS, EmbeddedRegistries
from xpubuild.adapters.locks import alone
from xpubuild.adapters.other_engines import Client, client_for, usable_engine
from xpubuild.adapters.private_engine import PrivateEngine
from xpubuild.adapters.process import run_command
from xpubuild.adapters.programs import install_programs
from xpubuild.errors import MachineError, XpubuildError
from xpubuild.model.command import Command
from xpubuild.ports.engine import Engine, EngineStatus, LocalRegistry

if TYPE_CHECKING:
    from pathlib import Path

_LEAST_DISK = 2_000_000_000


class HostEngines:
    """`ports.engine.Engines` on this machine.

    Args:
        state: the state directory, of which the private engine takes `engine/`, `programs/` and `registries/`.
        configuration: the folder of `daemon.json` and `registry.yml`.
        ports: of the embedded registries on 127.0.0.1, one for each of `public` and `vpc:local`; 0 takes a free one.
        docker_host: what DOCKER_HOST says, if anything.
    """

    def __init__(self, state: Path, configuration: Path, *, ports: tuple[int, int], docker_host: str | None) -> None:
        self._state = state
        self._docker_host = docker_host
        daemons = Daemons(state / "engine" / "daemons")
        self._private = PrivateEngine(state, configuration / "daemon.json", daemons)
        self._registries = EmbeddedRegistries(
            state / "registries", configuration / "registry.yml", ports=ports, daemons=daemons
        )

    def find(self, *, builder: str | None = None) -> Engine | None:
        """See the port."""
        private = None if self._docker_host else self._private.running()
        if builder and private and _knows(private, builder):
            return replace(private, builder=builder)
        if builder or self._docker_host:
            return usable_engine(client_for(self._docker_host, self._state), builder=builder)
        if private:
            return private
        try:
            return usable_engine(client_for(None, self._state), builder=None)
        except MachineError:
            return None

    def up(self) -> EngineStatus:
        """See the port."""
        if self._private.running() is None or len(self._registries.running()) < len(TARGETS):
            self._refuse_machine()
            with alone(self._lock):
                programs = install_programs(self._state)
                if self._private.running() is None:
                    self._private.start(programs)
                self._registries.start(programs)
        return self._status(used=0)

    def serve_registries(self) -> tuple[LocalRegistry, ...]:
        """See the port."""
        if len(self._registries.running()) < len(TARGETS):
            with alone(self._lock):
                self._registries.start(install_programs(self._state))
        return self._registries.running()

    def down(self) -> tuple[str, ...]:
        """See the port. The engine ends before the registries that it may be pushing to."""
        if not (self._state / "engine").exists():
            return ()
        with alone(self._lock):
            engine = ("dockerd",) if self._private.stop() else ()
            return (*engine, *self._registries.stop())

    def registries(self) -> tuple[LocalRegistry, ...]:
        """See the port."""
        return self._registries.all()

    def status(self) -> EngineStatus:
        """See the port."""
        return self._status(used=_used(self._state))

    def _status(self, *, used: int) -> EngineStatus:
        return EngineStatus(
            engine=self._private.running(),
            registries=self._registries.all(),
            running_registries=self._registries.running(),
            state_directory=str(self._state),
            used_bytes=used,
            free_bytes=_free(self._state),
        )

    def _refuse_machine(self) -> None:
        """Say at once what would fail later."""
        if os.geteuid() != 0:
            raise MachineError(
                "only root can start an engine", hint="run as root, or name one with --builder or DOCKER_HOST"
            )
        self._private.refuse_long_path()
        if (free := _free(self._state)) < _LEAST_DISK:
            raise MachineError(
                f"{free / 1e9:.1f} GB of disk are free; the engine alone needs {_LEAST_DISK / 1e9:.0f} GB",
                where=str(self._state),
                hint="free some, or choose another disk: XPUBUILD_STATE",
            )

    @property
    def _lock(self) -> Path:
        """One of us at a time starts or stops."""
        return self._state / "engine" / "lock"


def _knows(private: Engine, builder: str) -> bool:
    client = Client(program=private.docker, configuration=private.docker_configuration, host=private.host)
    return client.run("buildx", "inspect", builder).exit_code == 0


def _free(state: Path) -> int:
    """Free bytes of the file system on which a directory lies, or will lie."""
    place = next(folder for folder in (state, *state.parents) if folder.exists())
    return shutil.disk_usage(place).free


def _used(state: Path) -> int:
    """Bytes that the state directory takes, as du counts them; 0 when it cannot be told."""
    try:
        done = run_command(Command(argv=("du", "--summarize", "--block-size=1", str(state)), seconds=60))
        return int(done.stdout.split()[0]) if done.stdout else 0
    except (XpubuildError, ValueError, IndexError):
        return 0
