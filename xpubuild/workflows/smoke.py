"""Test an image in containers of it, and keep what was found."""

from __future__ import annotations

from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xpubuild.checks import NO_DEVICE, Ending, skip_reason, verdict
from xpubuild.errors import CheckError, raise_all
from xpubuild.ports.containers import Run
from xpubuild.ports.events import CheckEnded, CheckStarted, Noted
from xpubuild.ports.results import Report, Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from xpubuild.checks import Case, Suite
    from xpubuild.ports.containers import Containers
    from xpubuild.ports.events import Event
    from xpubuild.ports.results import Results

_CAPABILITIES = {"ptrace": "SYS_PTRACE", "perf": "PERFMON"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Testing:
    """The ports that testing needs. `nonce` gives a fresh random word at each call."""

    __test__ = False

    containers: Containers
    results: Results
    nonce: Callable[[], str]
    emit: Callable[[Event], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """The image to test: its digest, and the reference by digest under which the engine has or finds it."""

    digest: str
    reference: str


def test_image(
    world: Testing,
    suite: Suite,
    candidate: Candidate,
    *,
    again: bool = False,  # noqa: PT028 - no test of pytest
    at_once: int = 2,  # noqa: PT028
) -> Report:
    """Run the suite on the candidate, unless it was run on this very image; `at_once` checks where memory allows.

    An interrupted suite leaves no report.

    Raises:
        MachineError: the engine went away; nothing is kept then.
    """
    if not again and (kept := _kept(world, suite, candidate)):
        world.emit(Noted(text=f"this suite was run on this image before: {_summary(kept)}"))
        return kept
    world.results.forget(digest=candidate.digest, suite=suite.digest)
    for name in world.containers.sweep():
        world.emit(Noted(text=f"removed the container {name}, which a killed run left"))
    results = _results(world, suite, candidate, at_once=at_once)
    report = Report(digest=candidate.digest, suite=suite.digest, results=results)
    world.emit(Noted(text=f"{_summary(report)}; {world.results.save(report)}"))
    return report


def _kept(world: Testing, suite: Suite, candidate: Candidate) -> Report | None:
    """The report of an earlier run; none where checks were skipped for want of a device that is there now."""
    kept = world.results.load(digest=candidate.digest, suite=suite.digest)
    if kept and any(result.reason == NO_DEVICE for result in kept.results) and world.containers.has_device():
        return None
    return kept


def _results(world: Testing, suite: Suite, candidate: Candidate, *, at_once: int) -> tuple[Result, ...]:
    """Each case's result, in the suite's order. What ends one case early (interrupt, engine gone) ends all."""
    device = world.containers.has_device()
    pool = ThreadPoolExecutor(_fitting(world, suite, at_once))
    try:
        futures = [pool.submit(_result, world, suite, candidate, case=case, device=device) for case in suite.cases]
        for ended in wait(futures, return_when=FIRST_EXCEPTION).done:
            ended.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        world.containers.stop_all()
        raise
    finally:
        pool.shutdown(wait=True)
    return tuple(future.result() for future in futures)


def _fitting(world: Testing, suite: Suite, at_once: int) -> int:
    """How many of the hungriest checks fit into the machine's memory, at most `at_once`."""
    most = max((case.limits.memory for case in suite.cases), default=1)
    return max(1, min(at_once, world.containers.memory() // most))


def refuse_failed(report: Report) -> None:
    """Raise what failed, all at once.

    Raises:
        CheckError: a check failed; its reason, last lines and log file.
    """
    raise_all(
        CheckError(
            f"{result.name} failed: {result.reason.splitlines()[0]}",
            where=result.component,
            details="\n".join(result.reason.splitlines()[1:]),
            hint=f"all that it printed is in {result.log}",
        )
        for result in report.results
        if result.status == "failed"
    )


def _result(world: Testing, suite: Suite, candidate: Candidate, *, case: Case, device: bool) -> Result:
    if reason := skip_reason(case, device=device):
        return _told(
            world,
            Result(
                name=case.name, component=case.component, status="skipped", reason=reason, seconds=0.0, exit_code=None,
                log=None,
            ),
        )  # fmt: skip
    world.emit(CheckStarted(name=case.name))
    nonce = world.nonce()
    outcome = world.containers.run(run_of(case, candidate.reference, nonce=nonce))
    ending = Ending(
        exit_code=outcome.exit_code, timed_out=outcome.timed_out, out_of_memory=outcome.out_of_memory, log=outcome.log
    )
    found = verdict(case, ending, nonce)
    log = world.results.save_log(outcome.log, digest=candidate.digest, suite=suite.digest, name=case.name)
    return _told(
        world,
        Result(
            name=case.name, component=case.component, status=found.status, reason=found.reason,
            seconds=outcome.seconds, exit_code=outcome.exit_code, log=log,
        ),
    )  # fmt: skip


def _told(world: Testing, result: Result) -> Result:
    first = result.reason.splitlines()[0] if result.reason else ""
    world.emit(CheckEnded(name=result.name, status=result.status, reason=first, seconds=result.seconds))
    return result


def run_of(case: Case, image: str, *, nonce: str) -> Run:
    """The container of a case."""
    environment = (*case.environment, ("PYTHONUNBUFFERED", "1"), ("XPUBUILD_NONCE", nonce))
    return Run(
        image=image,
        name=f"xpubuild-check-{case.name}-{nonce}",
        command=case.command,
        entrypoint=None if case.entrypoint else (),
        environment=environment,
        files=case.files,
        seconds=case.limits.seconds,
        memory=case.limits.memory,
        shm=case.limits.shm,
        network="network" in case.needs,
        host="host" in case.needs,
        device="device" in case.needs,
        capabilities=tuple(sorted(_CAPABILITIES[need] for need in case.needs if need in _CAPABILITIES)),
        signal=case.signal,
    )


def _summary(report: Report) -> str:
    counts = {status: report.count(status) for status in ("passed", "failed", "skipped")}
    return ", ".join(f"{count} {status}" for status, count in counts.items())
