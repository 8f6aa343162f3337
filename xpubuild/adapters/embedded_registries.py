"""The registries that stand for `public` and `vpc:local` on this machine: docker-registry processes on 127.0.0.1."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

from xpubuild.errors import MachineError
from xpubuild.ports.engine import LocalRegistry

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.adapters.daemons import Daemons
    from xpubuild.adapters.programs import Programs

TARGETS = ("public", "vpc:local")
_START_SECONDS = 30


class EmbeddedRegistries:
    """The registries of one state directory, of which they take `registries/`.

    Args:
        folder: where they keep their data.
        configuration: the file registry.yml.
        ports: one for each target; 0 takes a free one.
        daemons: of this state directory.
    """

    def __init__(self, folder: Path, configuration: Path, *, ports: tuple[int, int], daemons: Daemons) -> None:
        self._folder = folder
        self._configuration = configuration
        self._ports = dict(zip(TARGETS, ports, strict=True))
        self._daemons = daemons

    def all(self) -> tuple[LocalRegistry, ...]:
        """Running or not, the one for `public` first."""
        return tuple(LocalRegistry(target=t, address=f"127.0.0.1:{self._port_of(t)}") for t in TARGETS)

    def running(self) -> tuple[LocalRegistry, ...]:
        """Those that run and take connections."""
        return tuple(found for found in self.all() if self._runs(found))

    def start(self, programs: Programs) -> None:
        """Start those that do not run.

        Raises:
            MachineError: another program has the port, or one does not start.
        """
        for registry in self.all():
            if not self._runs(registry):
                self._start(programs, registry.target)

    def stop(self) -> tuple[str, ...]:
        """Stop them; the names of those that ran."""
        return tuple(name for name in map(_daemon_name, TARGETS) if self._daemons.stop(name))

    def _runs(self, registry: LocalRegistry) -> bool:
        return self._daemons.running(_daemon_name(registry.target)) is not None and _listens(registry.address)

    def _start(self, programs: Programs, target: str) -> None:
        name = _daemon_name(target)
        self._daemons.stop(name)
        address = f"127.0.0.1:{self._ports[target] or _free_port()}"
        if _listens(address):
            raise MachineError(
                f"another program listens on {address}, where the registry for {target} would be",
                where="XPUBUILD_REGISTRY_PORTS",
                hint="stop it, or choose two other ports: XPUBUILD_REGISTRY_PORTS=5177,5178",
            )
        storage = self._folder / name
        storage.mkdir(parents=True, exist_ok=True)
        (self._folder / f"{name}.port").write_text(address.rsplit(":", 1)[1], encoding="ascii")
        environment = os.environ | {
            "REGISTRY_HTTP_ADDR": address,
            "REGISTRY_STORAGE_FILESYSTEM_ROOTDIRECTORY": str(storage),
            "OTEL_TRACES_EXPORTER": "none",
        }
        argv = (programs.program("docker-registry"), "serve", str(self._configuration))
        self._daemons.start(name, argv, environment=environment)
        self._daemons.wait_until(name, lambda: _listens(address), seconds=_START_SECONDS)

    def _port_of(self, target: str) -> int:
        """The chosen port; where a free one was asked for, the one that was taken last, 0 before."""
        if port := self._ports[target]:
            return port
        try:
            return int((self._folder / f"{_daemon_name(target)}.port").read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0


def _daemon_name(target: str) -> str:
    return f"registry-{target.replace(':', '-')}"


def _listens(address: str) -> bool:
    host, port = address.rsplit(":", 1)
    try:
        with socket.create_connection((host, int(port)), timeout=2):
            return True
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        port: int = link.getsockname()[1]
        return port
