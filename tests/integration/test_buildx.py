"""`Buildx` against the real engine: small bakes whose mirrors, registries and engines misbehave."""

from __future__ import annotations

import hashlib
import http.server
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import uuid
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

import httpx
import pytest

from tests.conftest import ROOT
from tests.tiny import Mirror
from xpubuild import wiring
from xpubuild.adapters.buildx import Buildx
from xpubuild.errors import BuildError, GoneError, MachineError, TransientError, XpubuildError
from xpubuild.ports.builder import Baked, BakeRequest
from xpubuild.progress import Building, nodes
from xpubuild.workflows.build import base_contexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from xpubuild.ports.engine import Engine

pytestmark = pytest.mark.engine

MANIFEST = "application/vnd.oci.image.manifest.v1+json"


@pytest.fixture(scope="module")
def base(engine: Engine) -> str:
    """The build context of a root file system with a shell."""
    assert engine
    world = wiring.building(lambda _: None)
    return base_contexts(world, {"base": wiring.checkout().builder_lock().base})["base"]


@dataclass
class Bench:
    """Bakes Dockerfiles of the test's own; `states` is what was told of the last one."""

    engine: Engine
    base: str
    folder: Path
    registry: str
    patience: float = 0
    states: list[Building] = field(default_factory=list)
    salt: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def reference(self) -> str:
        return f"{self.registry}/tests/bench:{self.salt}"

    def lay(self, *lines: str) -> BakeRequest:
        target = {
            "context": ".", "dockerfile": "Dockerfile", "target": "image", "contexts": {"base": self.base},
            "args": {"SOURCE_DATE_EPOCH": "1700000000"}, "attest": ["type=provenance,disabled=true"],
            "output": [f"type=image,name={self.reference},push=true,oci-mediatypes=true"],
        }  # fmt: skip
        (self.folder / "Dockerfile").write_text("\n".join(lines).replace("SALT", self.salt) + "\n")
        (self.folder / "bake.json").write_text(json.dumps({"target": {"image": target}}))
        return BakeRequest(directory=self.folder, target="image", logs=self.logs)

    def bake(self, *lines: str, sizes: dict[str, int] | None = None, no_cache: bool = False) -> Baked:
        self.states.clear()
        request = replace(self.lay(*lines), sizes=sizes or {}, no_cache=no_cache)
        return Buildx(patience=self.patience).bake(self.engine, request, self.states.append)

    def fault(self, *lines: str) -> XpubuildError:
        with pytest.raises(XpubuildError) as caught:
            self.bake(*lines)
        return caught.value


@pytest.fixture
def bench(engine: Engine, base: str, tmp_path: Path, *, registry_address: str) -> Bench:
    return Bench(engine, base, tmp_path, registry_address)


STEP = ("FROM base AS root-x", "RUN --network=none mkdir /out && echo SALT >/out/file")
IMAGE = ("FROM scratch AS image", "COPY --link --from=root-x /out/ /")


def fetching(mirror: Mirror, content: bytes, name: str = "x.whl") -> tuple[str, ...]:
    """Lines that fetch a file which the mirror has."""
    mirror.files[name] = content
    sha = hashlib.sha256(content).hexdigest()
    return (
        "FROM scratch AS fetch-x", f"ADD --link --checksum=sha256:{sha} {mirror.url}/{name} /",
        "FROM scratch AS image", "COPY --link --from=fetch-x / /",
    )  # fmt: skip


def test_the_digest_is_the_one_that_the_registry_answers_with(bench: Bench) -> None:
    baked = bench.bake(*STEP, *IMAGE)
    url = f"http://{bench.registry}/v2/tests/bench/manifests/{bench.salt}"
    answer = httpx.head(url, headers={"Accept": MANIFEST})
    assert answer.headers["Docker-Content-Digest"] == baked.digest
    assert baked.cached == {"root-x": False, "image": False, "export": False}
    assert set(baked.seconds) == {"root-x", "image", "export"}


def test_a_second_bake_is_cached_and_gives_the_same_digest(bench: Bench) -> None:
    first = bench.bake(*STEP, *IMAGE)
    second = bench.bake(*STEP, *IMAGE)
    assert second.digest == first.digest
    assert (second.cached["root-x"], second.cached["image"]) == (True, True)
    assert bench.bake(*STEP, *IMAGE, no_cache=True).cached["root-x"] is False


def test_bytes_that_are_fetched_are_told_and_those_that_are_there_are_not(bench: Bench, mirror: Mirror) -> None:
    content = bench.salt.encode() * 1000
    lines = fetching(mirror, content)
    sizes = {hashlib.sha256(content).hexdigest(): len(content)}
    bench.bake(*lines, sizes=sizes)
    told = {node.name: (node.current, node.total) for node in nodes(bench.states[-1])}
    assert told["fetch-x"] == (32_000, 32_000)
    bench.bake(*lines, sizes=sizes)
    told = {node.name: (node.current, node.total) for node in nodes(bench.states[-1])}
    assert told["fetch-x"] == (0, 0)


def test_time_goes_on_while_a_step_says_nothing(bench: Bench) -> None:
    bench.bake("FROM base AS root-x", "RUN --network=none echo SALT; sleep 4; mkdir /out", *IMAGE)
    seen = [node.seconds for state in bench.states for node in nodes(state)
            if node.name == "root-x" and node.state == "running"]  # fmt: skip
    assert sum(seconds >= 1 for seconds in seen) >= 2
    assert seen == sorted(seen)


def test_the_first_failure_is_told_in_its_own_words_and_its_whole_output_is_kept(bench: Bench) -> None:
    fault = bench.fault(
        "FROM base AS root-bad",
        "RUN --network=none sleep 2; echo REAL CAUSE SALT; for n in $(seq 400); do echo noise $n; done; exit 3",
        "FROM base AS root-x", "RUN --network=none mkdir /out; echo SALT; sleep 60",
        *IMAGE, "COPY --link --from=root-bad /etc/passwd /",
    )  # fmt: skip
    assert (type(fault), fault.where, fault.brief) == (BuildError, "root-bad", "the step ended with exit code 3")
    assert (fault.details or "").splitlines()[1:] == [f"noise {number}" for number in range(381, 401)]
    assert fault.hint == f"its whole output is in {bench.logs}/root-bad.log"
    kept = (bench.logs / "root-bad.log").read_text().splitlines()
    assert (kept[0], len(kept)) == (f"REAL CAUSE {bench.salt}", 401)
    states = {node.name: node.state for node in nodes(bench.states[-1])}
    assert (states["root-bad"], states["root-x"]) == ("failed", "cancelled")


def test_the_raw_stream_is_kept_whole(bench: Bench) -> None:
    bench.bake(*STEP, *IMAGE)
    events = [json.loads(line) for line in (bench.logs / "rawjson.log").read_text().splitlines()]
    assert any(vertex["name"] == "exporting to image" for event in events for vertex in event.get("vertexes") or ())


def test_a_full_disk_in_a_step_is_told_as_such(bench: Bench) -> None:
    fault = bench.fault(
        "FROM base AS root-x",
        "RUN --network=none --mount=type=tmpfs,target=/t,size=65536 echo SALT; head -c 200000 /dev/zero >/t/file",
        *IMAGE,
    )
    assert (type(fault), fault.where) == (MachineError, bench.engine.data_root)
    assert fault.brief == "the disk became full in root-x"


@pytest.mark.parametrize(
    ("status", "kind", "brief"),
    [
        (404, GoneError, "x.whl is no longer on the mirror (it answers 404)"),
        (410, GoneError, "x.whl is no longer on the mirror (it answers 410)"),
        (401, BuildError, "the mirror refuses x.whl (it answers 401)"),
        (403, BuildError, "the mirror refuses x.whl (it answers 403)"),
        (429, TransientError, "the mirror of x.whl is busy (it answers 429)"),
        (503, TransientError, "the mirror of x.whl is busy (it answers 503)"),
    ],
)
def test_a_mirror_is_asked_why_it_does_not_give_a_file(
    bench: Bench, mirror: Mirror, status: int, *, kind: type[XpubuildError], brief: str
) -> None:
    lines = fetching(mirror, bench.salt.encode())
    mirror.faults["x.whl"] = [status]
    fault = bench.fault(*lines)
    assert (type(fault), fault.brief, fault.where) == (kind, brief, f"{mirror.url}/x.whl")


def test_other_bytes_than_locked_are_told_with_both_digests(bench: Bench, mirror: Mirror) -> None:
    lines = fetching(mirror, bench.salt.encode())
    mirror.files["x.whl"] = b"tampered"
    fault = bench.fault(*lines)
    assert (type(fault), fault.brief) == (BuildError, "x.whl has other bytes than were locked")
    locked, served = (hashlib.sha256(content).hexdigest() for content in (bench.salt.encode(), b"tampered"))
    assert fault.details == f"locked  sha256:{locked}\nserved  sha256:{served}"


def test_a_mirror_that_is_well_again_when_asked_is_not_taken_for_one_with_other_bytes(
    bench: Bench, mirror: Mirror
) -> None:
    lines = fetching(mirror, bench.salt.encode())
    mirror.faults["x.whl"] = [503, 0]
    fault = bench.fault(*lines)
    assert type(fault) is TransientError
    assert fault.brief == "the mirror of x.whl gave something else for a while, and is well now"


def test_a_mirror_that_is_not_there_is_worth_another_try(bench: Bench) -> None:
    with Mirror() as gone:
        lines = fetching(gone, bench.salt.encode())
    fault = bench.fault(*lines)
    assert type(fault) is TransientError
    assert fault.brief.startswith("the mirror of x.whl does not answer: ")


class Late(Mirror):
    """Answers once `ready` is set."""

    def __init__(self, ready: threading.Event) -> None:
        super().__init__()
        self._ready = ready

    def _answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        assert self._ready.wait(60)
        super()._answer(request)


def test_another_try_after_a_long_first_one_and_what_that_ran_is_not_told_as_cached(bench: Bench) -> None:
    ran = threading.Event()

    def emit(state: Building) -> None:
        bench.states.append(state)
        if any(node.name == "root-x" and node.state == "done" for node in nodes(state)):
            ran.set()

    with Late(ran) as mirror:
        fetch = fetching(mirror, bench.salt.encode())
        mirror.faults["x.whl"] = [429, 429, 0]
        step = (STEP[0], "RUN --network=none sleep 3; mkdir /out && echo SALT >/out/file")
        request = bench.lay(*step, *fetch[:2], *IMAGE, "COPY --link --from=fetch-x / /")
        baked = Buildx(patience=2).bake(bench.engine, request, emit)
    states = {node.name: node.state for node in nodes(bench.states[-1])}
    assert states["root-x"] == "cached", "the second attempt found it done"
    assert baked.cached == {"root-x": False, "fetch-x": False, "image": False, "export": False}
    assert baked.seconds["root-x"] > 0
    remarks = bench.states[-1].remarks
    assert [remark.rsplit(": ", 1)[0] for remark in remarks] == ["the mirror of x.whl is busy (it answers 429)"]


class Registry(http.server.BaseHTTPRequestHandler):
    """Answers everything with one status; BuildKit tries TLS first and takes an HTTP answer for a no."""

    status = 500

    def handle_one_request(self) -> None:
        if self.connection.recv(1, socket.MSG_PEEK) == b"\x16":
            self.connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")
            self.close_connection = True
            return
        super().handle_one_request()

    def do_HEAD(self) -> None:
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = do_PUT = do_HEAD  # noqa: N815 - the library's names

    def log_message(self, *_: object) -> None:
        """Tests print what they have to say."""


@pytest.mark.parametrize(
    ("status", "kind", "brief"),
    [
        (403, BuildError, "the image was built, but the registry {} refuses it"),
        (429, TransientError, "the image was built, but the registry {} does not take it now"),
    ],
)
def test_a_registry_that_does_not_take_the_image_is_named(
    bench: Bench, status: int, *, kind: type[XpubuildError], brief: str
) -> None:
    answering = type("Answering", (Registry,), {"status": status})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        bench.registry = f"127.0.0.1:{server.server_address[1]}"
        fault = bench.fault(*STEP, *IMAGE)
        server.shutdown()
    assert (type(fault), fault.brief, fault.where) == (kind, brief.format(bench.registry), bench.reference)


def test_a_registry_that_is_not_there_is_named(bench: Bench) -> None:
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        bench.registry = f"127.0.0.1:{link.getsockname()[1]}"
        fault = bench.fault(*STEP, *IMAGE)
    assert type(fault) is TransientError
    assert fault.brief == f"the image was built, but the registry {bench.registry} does not take it now"
    assert "connection refused" in (fault.details or "")


class Wire:
    """A socket that leads to the engine's, until it is cut."""

    def __init__(self, place: Path, target: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(place))
        self._target = target
        self._links: list[socket.socket] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._listener.listen()
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        for thread in self._threads:
            thread.join()
        for link in (self._listener, *self._links):
            link.close()

    def cut(self) -> None:
        for link in (self._listener, *self._links):
            with suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def _start(self, work: Callable[..., None], *arguments: socket.socket) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments))
        self._threads[-1].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                self._links += [near, far]
                far.connect(self._target)
                self._start(_pour, near, far)
                self._start(_pour, far, near)


def _pour(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while chunk := source.recv(1 << 16):
            target.sendall(chunk)
        target.shutdown(socket.SHUT_WR)


def test_an_engine_that_goes_away_during_the_build_is_told_as_such(bench: Bench, tmp_path: Path) -> None:
    place = tmp_path / "wire.sock"
    with Wire(place, bench.engine.host.removeprefix("unix://")) as wire:
        bench.engine = replace(bench.engine, host=f"unix://{place}")
        request = bench.lay("FROM base AS root-x", "RUN --network=none echo SALT; sleep 100", *IMAGE)

        def cut(state: Building) -> None:
            if any(node.name == "root-x" and node.state == "running" for node in nodes(state)):
                wire.cut()

        with pytest.raises(MachineError) as caught:
            Buildx(patience=0).bake(bench.engine, request, cut)
    assert caught.value.brief == "the engine went away during the build"


def test_an_engine_that_is_not_there_is_told_as_such(bench: Bench, tmp_path: Path) -> None:
    bench.engine = replace(bench.engine, host=f"unix://{tmp_path}/none.sock")
    fault = bench.fault(*STEP, *IMAGE)
    assert (type(fault), fault.brief) == (MachineError, "the engine went away during the build")


def test_a_client_that_is_not_there_is_told_as_such(bench: Bench) -> None:
    bench.engine = replace(bench.engine, docker="/nowhere/docker")
    fault = bench.fault(*STEP, *IMAGE)
    assert (type(fault), fault.brief) == (MachineError, "the docker client cannot be run")


def test_another_builder_in_the_environment_is_not_taken(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUILDX_BUILDER", "no-such-builder")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    assert bench.bake(*STEP, *IMAGE).digest.startswith("sha256:")


DRIVER = """
import pickle, sys
from pathlib import Path
from xpubuild.adapters.buildx import Buildx
from xpubuild.progress import nodes
engine, request = pickle.loads(Path(sys.argv[1]).read_bytes())
told = set()
def emit(state):
    for node in nodes(state):
        if node.state == "running" and node.name not in told:
            told.add(node.name)
            print(node.name, flush=True)
Buildx(patience=0).bake(engine, request, emit)
"""


@pytest.fixture
def driven(bench: Bench) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that bakes, in the middle of a step that takes long."""
    import pickle

    request = bench.lay("FROM base AS root-x", "RUN --network=none echo SALT; sleep 100", *IMAGE)
    (bench.folder / "order").write_bytes(pickle.dumps((bench.engine, request)))
    running = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(bench.folder / "order")],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert running.stdout is not None
    assert next(line for line in running.stdout if line == "root-x\n")
    yield running
    running.kill()
    running.communicate()


def clients_of(folder: Path) -> list[int]:
    """Processes of docker clients that bake in a folder."""
    return [int(process.name) for process in Path("/proc").glob("[0-9]*") if _bakes(process, folder)]


def _bakes(process: Path, folder: Path) -> bool:
    try:
        line = (process / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return False
    return f"{folder}/bake.json" in line


def test_an_interrupt_leaves_no_client(bench: Bench, driven: subprocess.Popen[str]) -> None:
    assert clients_of(bench.folder) != []
    driven.send_signal(signal.SIGINT)
    _, errors = driven.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
    assert clients_of(bench.folder) == [], "it waited for them before it ended"


def test_a_kill_leaves_no_client_and_nothing_that_breaks_the_next_run(
    bench: Bench, driven: subprocess.Popen[str]
) -> None:
    waits = [os.pidfd_open(pid) for pid in clients_of(bench.folder)]
    assert len(waits) >= 2, "the client and its plugin"
    driven.kill()
    for wait in waits:
        _wait_for_end(wait)
    assert clients_of(bench.folder) == []
    assert bench.bake(*STEP, *IMAGE).cached["root-x"] is False


def _wait_for_end(wait: int) -> None:
    import select

    ended, _, _ = select.select([wait], [], [], 20)
    os.close(wait)
    assert ended, "the client lives on"
