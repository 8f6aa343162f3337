"""Smoke tests end to end: every way a check can end, what is kept of it, and that nothing outlives its run."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from tests.conftest import ROOT, xpubuild
from tests.images import base_image
from tests.values import lock, recipe, wheel
from xpubuild import wiring
from xpubuild.adapters.containers import DockerContainers
from xpubuild.adapters.results import ResultFiles
from xpubuild.checks import Suite, suite_for
from xpubuild.errors import CheckError, Faults, MachineError
from xpubuild.model.recipe import CommandCheck, ImportCheck, Limits, Need, ScriptCheck, SignalCheck
from xpubuild.ports.events import CheckEnded, CheckStarted, Event, Noted
from xpubuild.workflows.smoke import Candidate, Testing, refuse_failed, test_image

if TYPE_CHECKING:
    from tests.tiny import Tiny
    from xpubuild.model.recipe import Check
    from xpubuild.ports.engine import Engine

pytestmark = pytest.mark.engine
test_image.__test__ = False  # type: ignore[attr-defined]

DIGEST = f"sha256:{'a' * 64}"
PYTHON = "RUN ln -s python3 /usr/bin/python"


@dataclass
class Bench:
    """A place to test one image in, with what was told meanwhile."""

    world: Testing
    candidate: Candidate
    told: list[Event] = field(default_factory=list)

    def steps(self) -> list[str]:
        """Starts and ends of checks, in the order they were told in."""
        words = {CheckStarted: "starts", CheckEnded: "ends"}
        return [f"{event.name} {words[type(event)]}" for event in self.told if not isinstance(event, Noted)]  # type: ignore[union-attr]


def bench(engine: Engine, image: str, folder: Path) -> Bench:
    told: list[Event] = []
    world = Testing(
        containers=DockerContainers(engine),
        results=ResultFiles(folder / "results"),
        nonce=lambda: secrets.token_hex(8),
        emit=told.append,
    )
    return Bench(world=world, candidate=Candidate(digest=DIGEST, reference=image), told=told)


@pytest.fixture(scope="module")
def image(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An image whose entrypoint runs nothing: a check that goes through it cannot pass."""
    more = f'{PYTHON}\nENTRYPOINT ["/bin/false"]'
    return base_image(engine, tmp_path_factory.mktemp("image"), tag="smoke", more=more)


def suite(*checks: Check, scripts: dict[str, str] | None = None) -> Suite:
    texts = {("tool", source): text for source, text in (scripts or {}).items()}
    return suite_for((recipe("tool", "tool", checks=checks),), lock(wheel("tool")), texts)


def shell(name: str, *, limits: Limits | None = None, needs: frozenset[Need] = frozenset()) -> ScriptCheck:
    return ScriptCheck(
        name=name, source=f"{name}.sh", interpreter=("sh",), limits=limits or Limits(seconds=60), needs=needs
    )


NONCE = 'echo "xpubuild-nonce: $XPUBUILD_NONCE"'
PERF: frozenset[Need] = frozenset({"perf"})

# name: (check, its script or None, how it ends, what is said of it in one line, the last line shown)
ENDS: dict[str, tuple[Check, str | None, str, str, str]] = {
    "imports": (ImportCheck(name="imports", module="json"), None, "passed", "", ""),
    "commands": (
        CommandCheck(name="commands", command=("python", "--version"), expects=r"^Python 3\.11"), None, "passed", "", "",
    ),
    "scripts": (shell("scripts"), NONCE, "passed", "", ""),
    "long-log": (shell("long-log"), f"seq 100000; {NONCE}", "passed", "", ""),
    "no-network": (shell("no-network"), f'test "$(ls /sys/class/net)" = lo && {NONCE}', "passed", "", ""),
    "unlocked": (
        ImportCheck(name="unlocked", module="json", distribution="other"), None,
        "failed", "exit code 1 instead of 0", "the lock has no distribution other",
    ),
    "runs-nothing": (
        shell("runs-nothing"), "exit 0", "failed", "it did not print its nonce: it did not run to its end", "",
    ),
    "exit-code": (shell("exit-code"), "echo last words; exit 3", "failed", "exit code 3 instead of 0", "last words"),
    "hangs": (
        shell("hangs", limits=Limits(seconds=2)), "echo waiting; while :; do sleep 1; done",
        "failed", "timed out after 2 s", "waiting",
    ),
    "command-hangs": (
        CommandCheck(
            name="command-hangs", command=("sh", "-c", "echo waiting; sleep 600"), expects="", limits=Limits(seconds=2)
        ),
        None, "failed", "timed out after 2 s", "waiting",
    ),
    "eats-memory": (
        shell("eats-memory", limits=Limits(seconds=60, memory=128 << 20)), "python -c 'x = bytearray(600 << 20)'",
        "failed", "out of memory: it may use 0.1 GB", "Killed",
    ),
    "fills-shm": (
        shell("fills-shm", limits=Limits(seconds=60, memory=1 << 30)),
        "python -c \"open('/dev/shm/x', 'wb').write(bytes(100 << 20))\"",
        "failed", "exit code 1 instead of 0 (no space left: is /dev/shm or the disk full?)",
        "OSError: [Errno 28] No space left on device",
    ),
    "crashes": (
        shell("crashes"), "kill -SEGV $$", "failed", "exit code 139 instead of 0 (SIGSEGV)", "",
    ),
    "device": (
        shell("device", needs=frozenset({"device"})), NONCE, "skipped", "no accelerator on this machine", "",
    ),
    "no-right": (
        shell("no-right", needs=PERF), 'echo "xpubuild-skip: $XPUBUILD_NONCE: no right to count"',
        "skipped", "no right to count", "",
    ),
    "no-need": (
        shell("no-need"), 'echo "xpubuild-skip: $XPUBUILD_NONCE: no right"',
        "failed", "it did not print its nonce: it did not run to its end", "",
    ),
}  # fmt: skip


def all_ends() -> Suite:
    scripts = {f"{name}.sh": text for name, (_, text, *_) in ENDS.items() if text is not None}
    return suite(*(check for check, *_ in ENDS.values()), scripts=scripts)


def test_every_end_is_told_and_kept(engine: Engine, image: str, tmp_path: Path) -> None:
    place = bench(engine, image, tmp_path)
    wanted = all_ends()
    report = test_image(place.world, wanted, place.candidate)
    assert {result.name: (result.status, result.reason.partition("\n")[0]) for result in report.results} == {
        name: (status, said) for name, (_, _, status, said, _) in ENDS.items()
    }
    assert [result.name for result in report.results] == list(ENDS), "in the suite's order"
    for result in report.results:
        last = ENDS[result.name][4]
        assert not last or result.reason.splitlines()[-1] == last
    assert left(engine) == set()

    logs = {result.name: Path(result.log).read_text() for result in report.results if result.log}
    assert set(logs) == set(ENDS) - {"device"}
    assert logs["long-log"].splitlines()[:-1] == [str(n) for n in range(1, 100_001)]

    (junit,) = tmp_path.rglob("junit.xml")
    assert ET.fromstring(junit.read_text()).attrib.items() >= {  # noqa: S314 - our own text
        ("tests", str(len(ENDS))), ("failures", str(report.count("failed"))), ("skipped", "2"),
    }  # fmt: skip

    with pytest.raises(Faults) as met:
        refuse_failed(report)
    failed = [result for result in report.results if result.status == "failed"]
    assert [(type(fault), fault.brief, fault.hint) for fault in met.value.faults] == [
        (CheckError, f"{r.name} failed: {r.reason.partition(chr(10))[0]}", f"all that it printed is in {r.log}")
        for r in failed
    ]


def test_a_suite_is_not_run_again_on_the_same_image_unless_asked_to(engine: Engine, image: str, tmp_path: Path) -> None:
    place = bench(engine, image, tmp_path)
    wanted = suite(shell("one"), scripts={"one.sh": NONCE})
    first = test_image(place.world, wanted, place.candidate)
    assert place.steps() == ["one starts", "one ends"]
    assert test_image(place.world, wanted, place.candidate) == first
    assert len(place.steps()) == 2
    test_image(place.world, wanted, place.candidate, again=True)
    assert len(place.steps()) == 4
    other = suite(shell("one"), scripts={"one.sh": f"true; {NONCE}"})
    test_image(place.world, other, place.candidate)
    assert len(place.steps()) == 6, "another script is another suite"


@pytest.mark.parametrize(
    ("at_once", "memory", "steps"),
    [
        (2, 128 << 20, ["a starts", "b starts"]),
        (1, 128 << 20, ["a starts", "a ends", "b starts", "b ends"]),
        (2, None, ["a starts", "a ends", "b starts", "b ends"]),
    ],
    ids=["two", "one", "no memory for two"],
)
def test_checks_run_side_by_side_where_asked_for_and_memory_allows(
    engine: Engine, image: str, tmp_path: Path, *, at_once: int, memory: int | None, steps: list[str]
) -> None:
    place = bench(engine, image, tmp_path)
    limits = Limits(seconds=60, memory=memory or place.world.containers.memory() // 2 + 4096)
    wanted = suite(
        shell("a", limits=limits), shell("b", limits=limits), scripts={"a.sh": f"sleep 1; {NONCE}", "b.sh": NONCE}
    )
    report = test_image(place.world, wanted, place.candidate, at_once=at_once)
    assert [(result.name, result.status) for result in report.results] == [("a", "passed"), ("b", "passed")]
    assert place.steps()[: len(steps)] == steps


def test_a_fault_of_the_engine_ends_all_checks_and_nothing_is_kept(engine: Engine, image: str, tmp_path: Path) -> None:
    place = bench(engine, image, tmp_path)
    impossible = Limits(seconds=60, memory=1)
    wanted = suite(
        shell("a", limits=Limits(seconds=600)), shell("b", limits=impossible), shell("c"),
        scripts={"a.sh": "sleep 600", "b.sh": NONCE, "c.sh": NONCE},
    )  # fmt: skip
    started = time.monotonic()
    with pytest.raises(MachineError, match="the engine cannot make the container xpubuild-check-b-"):
        test_image(place.world, wanted, place.candidate)
    assert time.monotonic() - started < 60
    assert left(engine) == set()
    assert list(tmp_path.rglob("results.json")) == []


SIGNALS = (
    SignalCheck(name="code", command=("sh", "-c", "exit 7"), exit_code=7, limits=Limits(seconds=20)),
    SignalCheck(
        name="term",
        command=("sh", "-c", "trap 'exit 9' TERM; echo ready; while :; do sleep 0.1; done"),
        signal="SIGTERM", exit_code=9, limits=Limits(seconds=5), needs=frozenset({"host"}),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("entrypoint", "ends"),
    [
        ('exec "$0" "$@"', [("code", "passed", ""), ("term", "passed", "")]),
        (
            '"$0" "$@"; exit 0',
            [("code", "failed", "exit code 0 instead of 7"), ("term", "failed", "timed out after 5 s")],
        ),
        (
            "exit 0",
            [("code", "failed", "exit code 0 instead of 7"), ("term", "failed", "exit code 0 instead of 9")],
        ),
    ],
    ids=["hands over", "stays", "swallows"],
)
def test_an_entrypoint_must_hand_over_command_exit_code_and_signals(
    engine: Engine, tmp_path: Path, *, entrypoint: str, ends: list[tuple[str, str, str]]
) -> None:
    line = f"ENTRYPOINT {json.dumps(['/bin/sh', '-c', entrypoint])}"
    name = base_image(engine, tmp_path, tag=f"entrypoint-{len(entrypoint)}", more=line)
    place = bench(engine, name, tmp_path)
    report = test_image(place.world, suite(*SIGNALS), place.candidate)
    assert [(r.name, r.status, r.reason.partition("\n")[0]) for r in report.results] == ends


def left(engine: Engine, name: str = "xpubuild-check-", *, running: bool = False) -> set[str]:
    """Containers of checks of this process, or those with this in their name."""
    every = [] if running else ["--all"]
    mine = [f"--filter=label=org.xpubuild.owner={_own()}"] if name == "xpubuild-check-" else []
    done = subprocess.run(
        [engine.docker, "--host", engine.host, "ps", *every, f"--filter=name={name}", *mine, "--format={{.Names}}"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return set(done.stdout.split())


def _own() -> str:
    return f"{os.getpid()}-{Path('/proc/self/stat').read_text().rsplit(')', 1)[1].split()[19]}"


RECIPE = '''"""A tool whose checks fail or hang."""

from xpubuild.authoring import CommandCheck, Facts, Limits, Recipe

RECIPE = Recipe(
    component="{name}",
    title="{name}",
    facts=Facts(summary="a test"),
    distributions=("{name}",),
    environment=(("PATH", "/opt/xpu/bin:/usr/bin:/bin"),),
    checks=(
        CommandCheck(
            name="{name}-{word}", command=("sh", "-c", "{command}"), expects="", limits=Limits(seconds=600)
        ),
    ),
)
'''


def with_check(tiny: Tiny, *, command: str) -> str:
    """Give the release one more component, with one check; the check's name."""
    word = secrets.token_hex(4)
    (tiny.folder / "recipes/tool.py").write_text(RECIPE.format(name="tool", word=word, command=command))
    tiny.have("tool")
    done = xpubuild("build", "1.0", "--no-test", **tiny.environment)
    assert done.returncode == 0, done.stderr
    return f"tool-{word}"


def begin(tiny: Tiny) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "xpubuild", "test", "1.0"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | tiny.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def await_container(engine: Engine, name: str, running: subprocess.Popen[str], *, not_in: set[str]) -> set[str]:
    end = time.monotonic() + 60
    while not (found := left(engine, name, running=True) - not_in):
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < end
        time.sleep(0.1)
    return found


def kept_reports(name: str) -> list[Path]:
    """Reports that hold a check of this name."""
    files = (wiring.state_directory() / "results").glob("*/*/results.json")
    return [file for file in files if name in file.read_text()]


def test_a_failed_check_gives_exit_code_7_its_reason_and_its_log(tiny: Tiny) -> None:
    name = with_check(tiny, command="echo last words; exit 3")
    done = xpubuild("test", "1.0", "--json", **tiny.environment)
    assert done.returncode == 7, done.stderr
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    ends = {d["check"]: (d["status"], d["reason"]) for d in documents if d.get("event") == "check-ended"}
    assert ends == {
        "alpha-runs": ("passed", ""), "beta-runs": ("passed", ""), name: ("failed", "exit code 1 instead of 0"),
    }  # fmt: skip
    fault = documents[-1]["errors"][0]
    assert (fault["brief"], fault["where"]) == (f"{name} failed: exit code 1 instead of 0", "tool")
    assert fault["details"] == "last words\nexit code 3 instead of 0"
    log = Path(fault["hint"].removeprefix("all that it printed is in "))
    assert log.read_text() == "last words\nexit code 3 instead of 0\n"
    only = xpubuild("test", "1.0", "--only", "alpha", **tiny.environment)
    assert (only.returncode, "was not built from this checkout" in only.stderr) == (2, True)


def test_interrupts_and_kills_leave_no_container_and_no_report(tiny: Tiny, engine: Engine) -> None:
    name = with_check(tiny, command="echo waiting; sleep 600")
    for sent, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        with begin(tiny) as running:
            await_container(engine, name, running, not_in=set())
            running.send_signal(sent)
            _, errors = running.communicate(timeout=60)
        assert running.returncode == code, errors
        assert "nothing is left running" in errors
        assert left(engine, name) == set()
        assert kept_reports(name) == []

    with begin(tiny) as killed:
        orphans = await_container(engine, name, killed, not_in=set())
        killed.send_signal(signal.SIGKILL)
        killed.communicate(timeout=60)
    assert left(engine, name) == orphans

    with begin(tiny) as next_run:
        await_container(engine, name, next_run, not_in=orphans)
        next_run.send_signal(signal.SIGTERM)
        _, errors = next_run.communicate(timeout=60)
    for orphan in orphans:
        assert f"removed the container {orphan}, which a killed run left" in errors.splitlines()
    assert left(engine, name) == set()
