"""Run one `docker buildx bake` through python-on-whales, and end it whatever happens."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Self

from xpubuild.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xpubuild.ports.builder import BakeRequest
    from xpubuild.ports.engine import Engine

_SETPRIV = ("setpriv", "--pdeathsig", "TERM")
"""The client ends with us, also when we are killed; the engine then ends its steps."""
_ENVIRONMENT = {"BUILDX_NO_DEFAULT_ATTESTATIONS": "1"}
_GATHER_SECONDS = 0.1
"""Lines that come within so short a time are handed on together: a cold build tells dozens a second."""
_POLITE_SECONDS = 10
_FORCED_SECONDS = 5


class BakeClient:
    """A client that runs while this is entered; on leaving, it and its plugin have ended.

    python-on-whales gives the lines as they come, but it waits for each without end and leaves the process running when
    it is interrupted: so it runs in a thread, and the process, the only one that this thread starts, is ended from here.
    """

    def __init__(self, engine: Engine, request: BakeRequest, *, metadata: Path) -> None:
        self._engine = engine
        self._request = request
        self._metadata = metadata
        self._told: SimpleQueue[str | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="bake", daemon=True)
        self._fault: Exception | None = None
        self.failed = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def batches(self, *, every: float) -> Iterator[list[str]]:
        """What it says, as lines; an empty list when it said nothing for `every` seconds.

        Raises:
            MachineError: it cannot be started.
        """
        batch: list[str] = []
        end = time.monotonic() + every
        while True:
            try:
                line = self._told.get(timeout=max(end - time.monotonic(), 0))
            except Empty:
                yield batch
                batch, end = [], time.monotonic() + every
                continue
            if line is None:
                break
            end = end if batch else time.monotonic() + _GATHER_SECONDS
            batch.append(line)
        yield batch
        if self._fault is not None:
            raise MachineError(f"the docker client cannot be run: {self._fault}") from self._fault

    def _run(self) -> None:
        from python_on_whales.client_config import ClientNotFoundError
        from python_on_whales.exceptions import DockerException

        try:
            for line in self._lines():
                self._told.put(line)
        except DockerException:
            self.failed = True
        except (OSError, ClientNotFoundError) as fault:
            self._fault = fault
        finally:
            self._told.put(None)

    def _lines(self) -> Iterator[str]:
        from python_on_whales import DockerClient

        engine = self._engine
        client = DockerClient(
            client_call=[*_SETPRIV, engine.docker], host=engine.host, config=engine.docker_configuration
        )
        yield from client.buildx.bake(
            self._request.target,
            # Named even where it is the default: else BUILDX_BUILDER or `docker buildx use` would choose another.
            builder=engine.builder or "default",
            files=self._request.directory / "bake.json",
            cache=not self._request.no_cache,
            progress="rawjson",  # type: ignore[arg-type]
            metadata_file=self._metadata,
            set={"*.context": str(self._request.directory)},
            variables=_ENVIRONMENT,
            stream_logs=True,
        )

    def _end(self) -> None:
        """Its plugin holds the pipes that the thread reads: the thread ends when both processes have."""
        for sent, patience in ((signal.SIGTERM, _POLITE_SECONDS), (signal.SIGKILL, _FORCED_SECONDS)):
            told: set[int] = set()
            end = time.monotonic() + patience
            while self._thread.is_alive() and time.monotonic() < end:
                for pid in self._processes() - told:
                    told.add(pid)
                    with suppress(ProcessLookupError):
                        os.kill(pid, sent)
                self._thread.join(0.05)

    def _processes(self) -> set[int]:
        try:
            text = Path(f"/proc/self/task/{self._thread.native_id}/children").read_text(encoding="ascii")
        except OSError:
            return set()
        return {int(pid) for pid in text.split()}
