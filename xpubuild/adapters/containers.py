"""Containers through the Docker SDK: each named and labelled ours, and removed however its run ends."""

from __future__ import annotations

import io
import os
import tarfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xpubuild.errors import MachineError
from xpubuild.ports.containers import Outcome

if TYPE_CHECKING:
    from xpubuild.ports.containers import Run
    from xpubuild.ports.engine import Engine

_LABEL = "org.xpubuild.check"
_OWNER = "org.xpubuild.owner"
_POLL_SECONDS = 0.1


class DockerContainers:
    """`ports.containers.Containers` on one engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._connected: Any = None

    @property
    def _client(self) -> Any:
        if self._connected is None:
            import docker

            self._connected = docker.DockerClient(base_url=self._engine.host, timeout=120)
        return self._connected

    def run(self, run: Run) -> Outcome:
        """See the port."""
        import docker.errors
        import requests

        try:
            container = self._client.containers.create(run.image, **_options(run))
        except (docker.errors.DockerException, requests.RequestException) as fault:
            raise MachineError(f"the engine cannot make the container {run.name}: {fault}") from fault
        try:
            _lay(container, run)
            return self._watch(container, run)
        except docker.errors.NotFound:
            return Outcome(
                exit_code=None, timed_out=False, out_of_memory=False, seconds=0.0, log="(the container was removed)"
            )
        except (docker.errors.DockerException, requests.RequestException) as fault:
            raise MachineError(f"the engine lost the container {run.name}: {fault}") from fault
        finally:
            _remove(container)

    def sweep(self) -> tuple[str, ...]:
        """See the port."""
        left = self._client.containers.list(all=True, filters={"label": _LABEL}, ignore_removed=True)
        dead = [container for container in left if not _is_alive(container.labels.get(_OWNER, ""))]
        for container in dead:
            _remove(container)
        return tuple(container.name for container in dead)

    def stop_all(self) -> None:
        """See the port."""
        mine = {"label": f"{_OWNER}={_own_identity()}"}
        for container in self._client.containers.list(all=True, filters=mine, ignore_removed=True):
            _remove(container)

    def has_device(self) -> bool:
        """See the port."""
        return "nvidia" in (self._client.info().get("Runtimes") or {})

    def _watch(self, container: Any, run: Run) -> Outcome:
        """Wait for the end within the time, by asking: a lost connection then is no end."""
        started = time.monotonic()
        container.start()
        waiting_to_signal = run.signal
        while True:
            container.reload()
            state = container.attrs["State"]
            if state["Status"] in {"exited", "dead"}:
                break
            if time.monotonic() - started > run.seconds:
                container.kill()
                return _outcome(container, time.monotonic() - started, timed_out=True)
            if waiting_to_signal and b"ready\n" in container.logs(stderr=False):
                container.kill(signal=waiting_to_signal)
                waiting_to_signal = None
            time.sleep(_POLL_SECONDS)
        return _outcome(container, time.monotonic() - started, timed_out=False)


def _options(run: Run) -> dict[str, Any]:
    options: dict[str, Any] = {
        "name": run.name,
        "command": list(run.command),
        "environment": dict(run.environment),
        "labels": {_LABEL: run.name, _OWNER: _own_identity()},
        "mem_limit": run.memory,
        "memswap_limit": run.memory,
        "cap_add": list(run.capabilities),
        "init": run.entrypoint is not None,
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


def _remove(container: Any) -> None:
    import docker.errors
    import requests

    try:
        container.remove(force=True, v=True)
    except (docker.errors.DockerException, requests.RequestException):
        # Gone already, or the engine is: the next sweep finds what is left.
        return


def _own_identity() -> str:
    return f"{os.getpid()}-{_start_time(os.getpid())}"


def _is_alive(owner: str) -> bool:
    pid, _, started = owner.partition("-")
    return pid.isdigit() and started != "" and _start_time(int(pid)) == started


def _start_time(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return ""
