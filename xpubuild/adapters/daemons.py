"""Start processes that outlive us, and stop exactly those that we started."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from xpubuild.adapters.processes import boot, start_time
from xpubuild.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Daemon:
    """A process that was started: its id alone could by now be another's, its start time and `boot` tell."""

    name: str
    pid: int
    started: int
    boot: str | None = None


class Daemons:
    """Remembers the daemons of one state directory in `folder`, one file each, its output in a log beside it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def running(self, name: str) -> Daemon | None:
        """The daemon of that name, when the process that we started still runs."""
        try:
            daemon = Daemon(**json.loads((self._folder / f"{name}.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        is_ours = daemon.boot in {None, boot()} and start_time(daemon.pid) == daemon.started
        return daemon if is_ours else None

    def log(self, name: str) -> Path:
        """Where a daemon's output goes."""
        return self._folder / f"{name}.log"

    def start(self, name: str, argv: tuple[str, ...], *, environment: Mapping[str, str]) -> Daemon:
        """Start a daemon that owes nothing to its caller: own session, no terminal, the root folder, the usual umask."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with self.log(name).open("ab") as log:
            process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", umask=0o022, start_new_session=True,
                env=dict(environment),
            )  # fmt: skip
        daemon = Daemon(name=name, pid=process.pid, started=start_time(process.pid) or 0, boot=boot())
        process.returncode = 0  # it outlives us, so it is not waited for
        partial = self._folder / f"{name}.json.new"
        partial.write_text(json.dumps(asdict(daemon)), encoding="utf-8")
        partial.replace(self._folder / f"{name}.json")
        return daemon

    def wait_until(self, name: str, ready: Callable[[], bool], *, seconds: float) -> None:
        """Wait for a daemon to be of use.

        Raises:
            MachineError: it ended, or was not ready in time; its last words are the details.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if ready():
                return
            if self.running(name) is None:
                raise MachineError(
                    f"{name} ended as soon as it was started", where=str(self.log(name)), details=self._tail(name)
                )
            time.sleep(0.05)
        raise MachineError(
            f"{name} is not ready after {seconds:g} s", where=str(self.log(name)), details=self._tail(name)
        )

    def stop(self, name: str, *, seconds: float = 30) -> bool:
        """End a daemon that we started, politely, then by force; False when it did not run."""
        daemon = self.running(name)
        if daemon is None:
            (self._folder / f"{name}.json").unlink(missing_ok=True)
            return False
        for sent, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, 5)):
            with suppress(ProcessLookupError):
                os.kill(daemon.pid, sent)
            end = time.monotonic() + patience
            while time.monotonic() < end and self.running(name):
                _reap(daemon.pid)
                time.sleep(0.05)
            if self.running(name) is None:
                break
        (self._folder / f"{name}.json").unlink(missing_ok=True)
        return True

    def _tail(self, name: str) -> str:
        try:
            lines = self.log(name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return ""
        return "\n".join(lines[-15:])


def _reap(pid: int) -> None:
    """Take the exit status where the process is our own child, so that it does not linger as a zombie."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return
