"""What containers of checks do on the real engine: ends, limits, and that nothing is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT
from xpubuild.adapters.containers import DockerContainers
from xpubuild.ports.containers import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xpubuild.ports.engine import Engine

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def image(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An image with Python: the base of a release, loaded as it is."""
    from xpubuild import wiring
    from xpubuild.workflows.build import base_contexts

    world = wiring.building(lambda _: None)
    base = wiring.checkout().lock("25.03", "cuda").base
    context = base_contexts(world, {"base": base})["base"]
    folder = tmp_path_factory.mktemp("image")
    (folder / "Dockerfile").write_text("FROM base\n")
    command = [engine.docker, "--host", engine.host, "buildx", "build", "--quiet", "--provenance=false", "--load"]
    environment = os.environ | {"DOCKER_CONFIG": engine.docker_configuration or ""}
    subprocess.run(
        [*command, "--build-context", f"base={context}", "--tag", "xpubuild-tests/base:1", str(folder)],
        check=True, env=environment, capture_output=True,
    )  # fmt: skip
    return "xpubuild-tests/base:1"


@pytest.fixture
def containers(engine: Engine) -> Iterator[DockerContainers]:
    made = DockerContainers(engine)
    yield made
    made.stop_all()


def run_of(image: str, *command: str, **more: Any) -> Run:
    plain = Run(
        image=image, name=f"xpubuild-check-t-{uuid.uuid4().hex[:12]}", command=command, entrypoint=(), environment=(),
        files=(), seconds=30, memory=256 << 20, shm=64 << 20,
    )  # fmt: skip
    return replace(plain, **more)


def names(engine: Engine) -> set[str]:
    done = subprocess.run(
        [engine.docker, "--host", engine.host, "ps", "--all", "--format", "{{.Names}}"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return set(done.stdout.split())


def test_exit_code_and_whole_log_are_kept_and_the_container_goes(
    containers: DockerContainers, engine: Engine, image: str
) -> None:
    run = run_of(image, "python3", "-c", "for n in range(100_000): print(n)\nraise SystemExit(7)")
    outcome = containers.run(run)
    assert outcome.exit_code == 7
    assert outcome.log.splitlines() == [str(n) for n in range(100_000)]
    assert run.name not in names(engine)


def test_a_hang_is_ended_at_its_time_with_its_last_words(
    containers: DockerContainers, engine: Engine, image: str
) -> None:
    run = run_of(image, "sh", "-c", "echo waiting; while :; do sleep 1; done", seconds=2)
    outcome = containers.run(run)
    assert outcome.timed_out
    assert outcome.exit_code is None
    assert outcome.log == "waiting\n"
    assert 2 <= outcome.seconds < 8
    assert run.name not in names(engine)


def test_out_of_memory_is_told(containers: DockerContainers, image: str) -> None:
    outcome = containers.run(run_of(image, "python3", "-c", "x = bytearray(600 << 20)", memory=128 << 20))
    assert outcome.out_of_memory
    assert outcome.exit_code == 137


@pytest.mark.parametrize(("shm", "code"), [(64 << 20, 1), (256 << 20, 0)])
def test_shm_has_the_size_that_was_given(containers: DockerContainers, image: str, *, shm: int, code: int) -> None:
    script = "open('/dev/shm/x', 'wb').write(bytes(100 << 20))"
    outcome = containers.run(run_of(image, "python3", "-c", script, shm=shm, memory=1 << 30))
    assert outcome.exit_code == code
    assert ("Errno 28" in outcome.log) == bool(code)


def test_there_is_no_network_unless_asked_for(containers: DockerContainers, image: str) -> None:
    script = "import os; print(sorted(os.listdir('/sys/class/net')))"
    assert containers.run(run_of(image, "python3", "-c", script)).log == "['lo']\n"
    assert "eth0" in containers.run(run_of(image, "python3", "-c", script, network=True)).log


def test_files_are_laid_before_the_start_with_their_modes(containers: DockerContainers, image: str) -> None:
    files = (("/check/run.sh", "#!/bin/sh\necho laid $WORD\n", 0o755),)
    outcome = containers.run(run_of(image, "/check/run.sh", files=files, environment=(("WORD", "here"),)))
    assert (outcome.exit_code, outcome.log) == (0, "laid here\n")


def test_a_signal_is_sent_once_the_command_is_ready(containers: DockerContainers, image: str) -> None:
    script = "trap 'echo got TERM; exit 9' TERM; echo ready; while :; do sleep 0.1; done"
    outcome = containers.run(run_of(image, "sh", "-c", script, signal="SIGTERM"))
    assert (outcome.exit_code, outcome.log) == (9, "ready\ngot TERM\n")


def test_an_image_that_is_not_there_is_a_fault_of_the_machine(containers: DockerContainers) -> None:
    from xpubuild.errors import MachineError

    with pytest.raises(MachineError, match="cannot make the container"):
        containers.run(run_of("xpubuild-tests/absent:1", "true"))


RUNNER = """
import sys
sys.path.insert(0, {root!r})
from tests.contract.test_containers import run_of
from xpubuild import wiring
from xpubuild.adapters.containers import DockerContainers

run = run_of({image!r}, "sleep", "600", seconds=600)
print(run.name, flush=True)
DockerContainers(wiring.engines().find()).run(run)
"""


def started(image: str, engine: Engine) -> tuple[subprocess.Popen[str], str]:
    runner = subprocess.Popen(
        [sys.executable, "-c", RUNNER.format(root=str(ROOT), image=image)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert runner.stdout is not None
    name = runner.stdout.readline().strip()
    end = time.monotonic() + 30
    while name not in names(engine) and time.monotonic() < end:
        time.sleep(0.1)
    assert name in names(engine)
    return runner, name


def test_what_a_killed_run_left_is_swept_and_what_a_live_one_has_is_not(
    containers: DockerContainers, engine: Engine, image: str
) -> None:
    dead, left = started(image, engine)
    alive, kept = started(image, engine)
    with dead, alive:
        dead.send_signal(signal.SIGKILL)
        dead.wait()
        assert left in containers.sweep()
        assert left not in names(engine)
        assert kept in names(engine)
        alive.send_signal(signal.SIGINT)
        alive.wait(timeout=30)
    assert kept not in names(engine), "an interrupt removes the container"
