"""Run `docker buildx bake` and understand how it ended."""

from __future__ import annotations

import json
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from tenacity import Retrying, retry_if_exception_type, wait_exponential_jitter

from xpubuild.adapters.bake_client import BakeClient
from xpubuild.adapters.build_logs import BuildLogs
from xpubuild.adapters.failures import explain
from xpubuild.adapters.process import require_command, run_command
from xpubuild.errors import BuildError, MachineError, TransientError
from xpubuild.model.command import Command
from xpubuild.ports.builder import Baked
from xpubuild.progress import Building, cached_nodes, fold, later, nodes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tenacity import RetryCallState

    from xpubuild.ports.builder import BakeRequest
    from xpubuild.ports.engine import Engine

_TICK_SECONDS = 1.0


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
        if not (request.directory / "bake.json").is_file():
            raise MachineError("the build directory is gone", where=str(request.directory))
        run = _Attempts(engine, request, emit)
        for attempt in Retrying(
            retry=retry_if_exception_type(TransientError),
            stop=lambda _: run.busy_for() >= self._patience,
            wait=wait_exponential_jitter(max=15),
            before_sleep=run.remark,
            reraise=True,
        ):
            with attempt:
                return run.once()
        raise AssertionError


class _Attempts:
    """One bake, tried until it ends for good; what earlier attempts ran is not forgotten when a later one finds it done."""

    def __init__(self, engine: Engine, request: BakeRequest, emit: Callable[[Building], None]) -> None:
        self._engine = engine
        self._request = request
        self._emit = emit
        self._start = Building(sizes=request.sizes)
        self._ran: dict[str, float] = {}
        self._busy_since: float | None = None

    def once(self) -> Baked:
        """One attempt."""
        metadata = self._request.logs / "metadata.json"
        others: list[str] = []
        with (
            BuildLogs(self._request.logs) as logs,
            BakeClient(self._engine, self._request, metadata=metadata) as client,
        ):
            state = self._follow(client, logs, others)
        for node in nodes(state):
            if node.state == "done":
                self._ran[node.name] = self._ran.get(node.name, 0.0) + node.seconds
        if client.failed:
            raise explain(state, others, logs=self._request.logs, data_root=self._engine.data_root)
        return self._baked(state, metadata)

    def busy_for(self) -> float:
        """Seconds since the first attempt failed: what was built well before that is no waiting."""
        if self._busy_since is None:
            self._busy_since = monotonic()
        return monotonic() - self._busy_since

    def remark(self, retry: RetryCallState) -> None:
        """Say that and why it is tried again."""
        fault = retry.outcome.exception() if retry.outcome else None
        if isinstance(fault, TransientError):
            text = f"{fault.brief}: trying again in {retry.upcoming_sleep:.0f} s"
            self._start = replace(self._start, remarks=(*self._start.remarks, text))
            self._emit(self._start)

    def _follow(self, client: BakeClient, logs: BuildLogs, others: list[str]) -> Building:
        state, heard = self._start, monotonic()
        for lines in client.batches(every=_TICK_SECONDS):
            for line in lines:
                event = _event_of(line)
                logs.keep(line, event)
                if event is None:
                    others.append(line.rstrip())
                else:
                    state, heard = fold(state, event), monotonic()
            logs.flush()
            self._emit(state if lines else later(state, monotonic() - heard))
        return state

    def _baked(self, state: Building, metadata: Path) -> Baked:
        told: dict[str, Any] = json.loads(metadata.read_text(encoding="utf-8")).get(self._request.target, {})
        digest = told.get("containerimage.digest")
        if not digest:
            raise BuildError("buildx names no digest for what it built", where=str(metadata))
        cached = {name: cached and name not in self._ran for name, cached in cached_nodes(state).items()}
        return Baked(digest=digest, cached=cached, seconds=dict(self._ran))


def _event_of(line: str) -> dict[str, Any] | None:
    """What BuildKit tells in this line; None for words of buildx itself."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


def _docker(engine: Engine, *words: str) -> Command:
    configuration = (("DOCKER_CONFIG", engine.docker_configuration),) if engine.docker_configuration else ()
    return Command(argv=(engine.docker, "--host", engine.host, *words), environment=configuration, seconds=60)
