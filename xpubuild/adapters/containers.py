"""Containers through the Docker SDK: each named and labelled ours, and removed however its run ends."""

from __future__ import annotations

import contextlib
import io
import os
import tarfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xpubuild.adapters.processes import boot, start_time
from xpubuild.errors import MachineError
from xpubuild.ports.containers import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from xpubuild.ports.containers import Run
    from xpubuild.ports.engine import Engine

_LABEL = "org.xpubuild.check"
_MACHINE = "org.xpubuild.machine"
_OWNER = "org.xpubuild.owner"
_UNTIL = "org.xpubuild.until"
_POLL_SECONDS = 0.1
# What making and removing a container may take on top of its own time, before another machine holds it for left behind.
_SLACK_SECONDS = 600
_CONFLICT = 409


class DockerContainers:
    """`ports.containers.Containers` on one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connected: Any = None
        self._connecting = threading.Lock()
        self._stopped = threading.Event()
        self._running: set[str] = set()

    @property
    def _client(self) -> Any:
        with self._connecting:
            if self._connected is None:
                import docker

                self._connected = docker.DockerClient(base_url=self._engine.host, timeout=120)
            return self._connected

    def run(self, run: Run) -> Outcome:
        """See the port."""
        self._running.add(run.name)
        try:
            with _engine_faults(f"the engine cannot make the container {run.name}"):
                container = self._client.containers.create(run.image, **_options(run))
            with _engine_faults(f"the engine lost the container {run.name}"):
                self._refuse_stopped(run)
                _lay(container, run)
                return self._watch(container, run)
        finally:
            # By name: an interrupt may have come before the engine's answer did.
            self._remove(run.name)
            self._running.discard(run.name)

    def sweep(self) -> tuple[str, ...]:
        """See the port."""
        with _engine_faults("the engine cannot list its containers"):
            left = self._client.containers.list(all=True, filters={"label": _LABEL}, ignore_removed=True)
        dead = [container for container in left if not _may_live(container.labels, now=time.time())]
        for container in dead:
            self._remove(container.name)
        return tuple(container.name for container in dead)

    def stop_all(self) -> None:
        """See the port."""
        self._stopped.set()
        for name in tuple(self._running):
            self._remove(name)

    def has_device(self) -> bool:
        """See the port."""
        return "nvidia" in (self._told().get("Runtimes") or {})

    def memory(self) -> int:
        """See the port."""
        return int(self._told()["MemTotal"])

    def _told(self) -> Mapping[str, Any]:
        with _engine_faults("the engine does not say what it has"):
            told: Mapping[str, Any] = self._client.info()
        return told

    def _remove(self, name: str) -> None:
        import docker.errors
        import requests

        # Gone already, or the engine is: the next sweep finds what is left.
        with contextlib.suppress(docker.errors.DockerException, requests.RequestException):
            self._client.api.remove_container(name, force=True, v=True)

    def _refuse_stopped(self, run: Run) -> None:
        if self._stopped.is_set():
            raise MachineError(f"the container {run.name} was stopped")

    def _watch(self, container: Any, run: Run) -> Outcome:
        """Wait for the end within the time, by asking: a lost connection then is no end."""
        container.start()
        started = time.monotonic()
        waiting_to_signal = run.signal
        while not _has_ended(container):
            if time.monotonic() - started > run.seconds:
                _kill(container)
                return _outcome(container, time.monotonic() - started, timed_out=True)
            if waiting_to_signal and b"ready" in container.logs(stderr=False).splitlines():
                _kill(container, signal=waiting_to_signal)
                waiting_to_signal = None
            self._stopped.wait(_POLL_SECONDS)
            self._refuse_stopped(run)
        return _outcome(container, time.monotonic() - started, timed_out=False)


@contextlib.contextmanager
def _engine_faults(brief: str) -> Iterator[None]:
    """A fault of the engine is one of the machine: it says nothing about the image."""
    import docker.errors
    import requests

    try:
        yield
    except docker.errors.NotFound as fault:
        raise MachineError(f"{brief}: it is not there: {fault.explanation or fault}") from fault
    except (docker.errors.DockerException, requests.RequestException, OSError) as fault:
        raise MachineError(f"{brief}: {fault}", hint="`xpubuild engine status` says whether it runs") from fault


def _options(run: Run) -> dict[str, Any]:
    options: dict[str, Any] = {
        "name": run.name,
        "command": list(run.command),
        "environment": dict(run.environment),
        "labels": _labels(run, now=time.time()),
        "mem_limit": run.memory,
        "memswap_limit": run.memory,
        "cap_add": list(run.capabilities),
        "init": run.entrypoint is not None,
        # Whatever the engine's defaults are: a log that can be read back and has all of it. A size of -1 is refused.
        "log_config": {"Type": "json-file", "Config": {"max-size": "1000g", "mode": "blocking"}},
    }
    if run.entrypoint is not None:
        options["entrypoint"] = list(run.entrypoint)
    if run.host:
        options |= {"network_mode": "host", "ipc_mode": "host", "privileged": True}
    else:
        options |= {"network_mode": "bridge" if run.network else "none", "shm_size": run.shm}
    if run.device:
        import docker.types

        options["device_requests"] = [docker.types.DeviceRequest(count=-1, capabilities=[["gpu"]])]
    return options


def _lay(container: Any, run: Run) -> None:
    """Put the files into the container that is not started yet."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, text, mode in run.files:
            content = text.encode()
            member = tarfile.TarInfo(path.lstrip("/"))
            member.size, member.mode = len(content), mode
            archive.addfile(member, io.BytesIO(content))
    if run.files:
        container.put_archive("/", buffer.getvalue())


def _has_ended(container: Any) -> bool:
    container.reload()
    return container.attrs["State"]["Status"] in {"exited", "dead"}


def _kill(container: Any, signal: str = "SIGKILL") -> None:
    import docker.errors

    try:
        container.kill(signal=signal)
    except docker.errors.APIError as fault:
        # It ended by itself in this moment.
        if fault.status_code != _CONFLICT:
            raise


def _outcome(container: Any, seconds: float, *, timed_out: bool) -> Outcome:
    container.reload()
    state = container.attrs["State"]
    return Outcome(
        exit_code=None if timed_out else state["ExitCode"],
        timed_out=timed_out,
        out_of_memory=bool(state.get("OOMKilled")),
        seconds=seconds,
        log=container.logs().decode(errors="replace"),
    )


def _labels(run: Run, *, now: float) -> dict[str, str]:
    return {
        _LABEL: run.name,
        _MACHINE: _machine(),
        _OWNER: f"{os.getpid()}-{start_time(os.getpid())}",
        _UNTIL: str(int(now + run.seconds + _SLACK_SECONDS)),
    }


def _may_live(labels: Mapping[str, str], *, now: float) -> bool:
    """Whether the run that made a container may still go on."""
    if labels.get(_MACHINE) == _machine():
        pid, _, started = labels.get(_OWNER, "").partition("-")
        return pid.isdigit() and started.isdigit() and start_time(int(pid)) == int(started)
    until = labels.get(_UNTIL, "")
    return until.isdigit() and now < int(until)


def _machine() -> str:
    """This start of this machine, and the space of process ids in it: within one, process ids can be compared."""
    return f"{boot()}-{Path('/proc/self/ns/pid').stat().st_ino}"
