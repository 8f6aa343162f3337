"""Start and stop the private engine: a dockerd of our own, with its own programs, socket, data, bridge and client."""

from __future__ import annotations

import os
import shutil
import socket
from typing import TYPE_CHECKING

from xpubuild.adapters.bridge import Bridge
from xpubuild.adapters.leftovers import end_leftovers
from xpubuild.adapters.programs import installed_programs, lay_client_configuration
from xpubuild.errors import MachineError
from xpubuild.ports.engine import Engine

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.adapters.daemons import Daemons
    from xpubuild.adapters.programs import Programs

_NAME = "dockerd"
_START_SECONDS = 90
_STOP_SECONDS = 60
_LONGEST_SOCKET = 107
"""In bytes, unix(7)."""
_STEP_LOGS = {"BUILDKIT_STEP_LOG_MAX_SIZE": "-1", "BUILDKIT_STEP_LOG_MAX_SPEED": "-1"}


class PrivateEngine:
    """The engine of one state directory, of which it takes `engine/`.

    Args:
        state: the state directory.
        configuration: the file daemon.json.
        daemons: of this state directory.
    """

    def __init__(self, state: Path, configuration: Path, daemons: Daemons) -> None:
        self._state = state
        self._home = state / "engine"
        self._configuration = configuration
        self._daemons = daemons
        self._bridge = Bridge(state)

    def running(self) -> Engine | None:
        """The engine, when it runs and answers."""
        programs = installed_programs(self._state)
        if programs is None or self._daemons.running(_NAME) is None or not _answers(self._socket):
            return None
        return Engine(
            host=f"unix://{self._socket}",
            docker=programs.program("docker"),
            docker_configuration=str(self._home / "docker"),
            builder=None,
            versions=programs.versions,
            data_root=str(self._home / "data"),
            private=True,
        )

    def start(self, programs: Programs) -> None:
        """Start it; one that is starting already is waited for, one that hangs is replaced, a killed one cleared away.

        Raises:
            MachineError: it cannot start; its own last words are the details.
        """
        if self._daemons.running(_NAME) and self._comes_up():
            return
        self._daemons.stop(_NAME, seconds=_STOP_SECONDS)
        self._clear()
        lay_client_configuration(self._state, programs)
        name = self._bridge.make(programs)
        argv = (
            programs.program(_NAME), "--config-file", str(self._configuration),
            "--data-root", str(self._home / "data"), "--exec-root", str(self._home / "run"),
            "--pidfile", str(self._home / "dockerd.pid"), "--host", f"unix://{self._socket}",
            "--bridge", name, "--dns", "127.0.0.1", "--init-path", programs.program("tini"),
        )  # fmt: skip
        environment = os.environ | _STEP_LOGS | {"PATH": programs.path}
        self._daemons.start(_NAME, argv, environment=environment)
        self._daemons.wait_until(_NAME, lambda: _answers(self._socket), seconds=_START_SECONDS)

    def stop(self) -> bool:
        """Stop it, and what an earlier one left; False when nothing ran."""
        stopped = self._daemons.stop(_NAME, seconds=_STOP_SECONDS)
        self._clear()
        if programs := installed_programs(self._state):
            self._bridge.remove(programs)
        return stopped

    @property
    def _socket(self) -> Path:
        return self._home / "docker.sock"

    def _comes_up(self) -> bool:
        try:
            self._daemons.wait_until(_NAME, lambda: _answers(self._socket), seconds=_START_SECONDS)
        except MachineError:
            return False
        return True

    def _clear(self) -> None:
        """What a killed engine leaves would hinder the next one: processes, mounts, then files of the run."""
        end_leftovers(self._home)
        for stale in (self._home / "dockerd.pid", self._socket):
            stale.unlink(missing_ok=True)
        shutil.rmtree(self._home / "run", ignore_errors=True)

    def refuse_long_path(self) -> None:
        """Refuse a state directory below which no socket can be made."""
        longest = os.fsencode(self._home / "run/containerd/containerd-debug.sock.ttrpc")
        if (excess := len(longest) - _LONGEST_SOCKET) > 0:
            raise MachineError(
                f"the path of the state directory is {excess} bytes too long for sockets",
                where=str(self._state),
                hint="choose a shorter one: XPUBUILD_STATE",
            )


def _answers(path: Path) -> bool:
    """Whether an engine answers its ping on a unix socket."""
    try:
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(5)
            link.connect(str(path))
            link.sendall(b"GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n")
            return b" 200 " in link.recv(64)
    except OSError:
        return False
