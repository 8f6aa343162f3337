"""Run `docker buildx bake` and understand how it ended."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_exponential_jitter

from xpubuild.adapters.failures import explain
from xpubuild.adapters.process import require_command, run_command
from xpubuild.errors import BuildError, MachineError, TransientError
from xpubuild.model.command import Command
from xpubuild.ports.builder import Baked
from xpubuild.progress import Building, cached_nodes, fold, node_of, nodes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from xpubuild.ports.builder import BakeRequest
    from xpubuild.ports.engine import Engine

_SETPRIV = ("setpriv", "--pdeathsig", "TERM")
"""The client ends with us, however we end; the engine then ends its steps."""


class Buildx:
    """`ports.builder.Builder` through python-on-whales; `patience` in seconds bounds retries of what is busy."""

    def __init__(self, *, patience: float) -> None:
        self._patience = patience

    def identity(self, engine: Engine) -> str:
        """See the port."""
        done = require_command(_docker(engine, "info", "--format", "{{.ID}}"))
        return f"{done.stdout.decode().strip()}/{engine.builder or 'default'}"

    def holds(self, engine: Engine, reference: str) -> bool:
        """See the port."""
        return run_command(_docker(engine, "image", "inspect", "--format", "{{.Id}}", reference)).exit_code == 0

    def bake(self, engine: Engine, request: BakeRequest, emit: Callable[[Building], None]) -> Baked:
        """See the port. What is busy is asked again for a while; BuildKit keeps what was done."""
        for attempt in Retrying(
            retry=retry_if_exception_type(TransientError),
            stop=stop_after_delay(self._patience),
            wait=wait_exponential_jitter(initial=1, max=15),
            reraise=True,
        ):
            with attempt:
                return self._bake_once(engine, request, emit)
        raise AssertionError

    def _bake_once(self, engine: Engine, request: BakeRequest, emit: Callable[[Building], None]) -> Baked:
        from python_on_whales.exceptions import DockerException

        metadata = request.logs / "metadata.json"
        request.logs.mkdir(parents=True, exist_ok=True)
        state, others, fault = Building(), [], None
        with _Logs(request.logs) as logs:
            try:
                for line in _stream(engine, request, metadata):
                    event = _parsed(line)
                    if event is None:
                        others.append(line.rstrip())
                        continue
                    logs.write(line, event, state)
                    state = fold(state, event)
                    emit(state)
            except DockerException as raised:
                fault = raised
            finally:
                _end_clients()
        if fault is not None:
            raise explain(state, others, logs=request.logs, data_root=engine.data_root) from fault
        return _baked(state, metadata, request)


def _baked(state: Building, metadata: Path, request: BakeRequest) -> Baked:
    told: dict[str, Any] = json.loads(metadata.read_text(encoding="utf-8")).get(request.target, {})
    digest = told.get("containerimage.digest")
    if not digest:
        raise BuildError("buildx names no digest for what it built", where=str(metadata))
    seconds = {node.name: node.seconds for node in nodes(state) if node.state == "done"}
    return Baked(digest=digest, cached=cached_nodes(state), seconds=seconds)


def _stream(engine: Engine, request: BakeRequest, metadata: Path) -> Iterator[str]:
    from python_on_whales import DockerClient

    client = DockerClient(client_call=[*_SETPRIV, engine.docker], host=engine.host, config=engine.docker_configuration)
    files = str(request.directory / "bake.json")
    if not Path(files).is_file():
        raise MachineError("the build directory is gone", where=files)
    os.environ.setdefault("BUILDX_NO_DEFAULT_ATTESTATIONS", "1")
    yield from client.buildx.bake(
        request.target,
        builder=engine.builder,
        files=files,
        cache=not request.no_cache,
        progress="rawjson",  # type: ignore[arg-type]
        metadata_file=metadata,
        set={"*.context": str(request.directory)},
        stream_logs=True,
    )


def _parsed(line: str) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


class _Logs(ExitStack):
    """The raw stream, and what the steps of each node print, in files."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder
        self._files: dict[str, BinaryIO] = {}
        self._names: dict[str, str] = {}

    def write(self, line: str, event: dict[str, Any], state: Building) -> None:
        self._file("rawjson").write(line.rstrip().encode() + b"\n")
        self._names |= {told["digest"]: told.get("name", "") for told in event.get("vertexes") or ()}
        for told in event.get("logs") or ():
            name = self._names.get(told["vertex"]) or state.vertices[told["vertex"]].name
            self._file(node_of(name) or "buildkit").write(_decoded(told.get("data")))

    def _file(self, name: str) -> BinaryIO:
        if name not in self._files:
            self._files[name] = self.enter_context((self._folder / f"{name}.log").open("wb"))
        return self._files[name]


def _decoded(data: str | None) -> bytes:
    import base64

    return base64.b64decode(data or "")


def _docker(engine: Engine, *words: str) -> Command:
    configuration = (("DOCKER_CONFIG", engine.docker_configuration),) if engine.docker_configuration else ()
    return Command(argv=(engine.docker, "--host", engine.host, *words), environment=configuration, seconds=60)


def _end_clients() -> None:
    """End the clients that we still have as children, and wait for them: on an interrupt they would build on."""
    for pid in _children():
        os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + 10
    while _children() and time.monotonic() < end:
        for pid in _children():
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                break
        time.sleep(0.02)


def _children() -> list[int]:
    """Our child processes that are docker clients."""
    text = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    return [pid for pid in map(int, text.split()) if _is_docker(pid)]


def _is_docker(pid: int) -> bool:
    try:
        return b"buildx" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
