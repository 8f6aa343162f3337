"""What a check becomes, and what the end of its container says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.values import lock, recipe, wheel
from xpubuild.checks import Case, Ending, Suite, Verdict, skip_reason, suite_for, verdict
from xpubuild.errors import Faults
from xpubuild.model.recipe import CommandCheck, ImportCheck, Limits, ScriptCheck, SignalCheck

NONCE = "0123abcd"
LOCK = lock(wheel("torch", "2.5.1"))


def suite(*checks: object) -> Suite:
    return suite_for((recipe("torch", "torch", checks=checks),), LOCK, {("torch", "checks/a.sh"): "true\n"})


def case(**more: object) -> Case:
    (only,) = suite(CommandCheck(name="runs", command=("true",), expects="", limits=Limits(seconds=5))).cases
    return replace(only, **more)  # type: ignore[arg-type]


def ending(log: str = f"xpubuild-nonce: {NONCE}\n", *, exit_code: int | None = 0, **more: bool) -> Ending:
    return Ending(exit_code=exit_code, log=log, **({"timed_out": False, "out_of_memory": False} | more))


def test_a_check_that_printed_its_nonce_and_ended_well_passed() -> None:
    assert verdict(case(), ending(), NONCE) == Verdict(status="passed", reason="")


@pytest.mark.parametrize("log", ["", "xpubuild-nonce: other\n", "said xpubuild-nonce: 0123abcd in passing\n"])
def test_a_check_that_ran_nothing_fails(log: str) -> None:
    found = verdict(case(), ending(log), NONCE)
    assert found.status == "failed"
    assert found.reason.startswith("it did not print its nonce: it did not run to its end")


def test_a_time_out_is_named_with_the_last_output() -> None:
    found = verdict(case(), ending("waiting\n", exit_code=None, timed_out=True), NONCE)
    assert found == Verdict(status="failed", reason="timed out after 5 s\nwaiting")


def test_out_of_memory_is_named_even_where_the_process_ended_well() -> None:
    limited = case(limits=Limits(memory=2_000_000_000))
    found = verdict(limited, ending(out_of_memory=True), NONCE)
    assert found.reason.splitlines()[0] == "out of memory: it may use 2.0 GB"


def test_a_full_shm_is_named() -> None:
    found = verdict(case(), ending("OSError: [Errno 28] No space left on device", exit_code=1), NONCE)
    assert "is /dev/shm or the disk full?" in found.reason.splitlines()[0]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (1, "exit code 1 instead of 0"),
        (132, "exit code 132 instead of 0 (SIGILL: an instruction that this processor lacks?)"),
        (135, "exit code 135 instead of 0 (SIGBUS: is /dev/shm full?)"),
        (139, "exit code 139 instead of 0 (SIGSEGV)"),
    ],
)
def test_what_a_signal_ended_is_named(code: int, said: str) -> None:
    assert verdict(case(), ending("last\n", exit_code=code), NONCE).reason == f"{said}\nlast"


def test_the_first_error_is_shown_where_others_follow_it() -> None:
    cause, victim = "[rank0]: RuntimeError: no driver", "BrokenPipeError: [Errno 32] Broken pipe"
    log = "\n".join(["start", "x.py:1: FutureWarning: old", cause, *(f"frame {n}" for n in range(20)), victim])
    shown = verdict(case(), ending(log, exit_code=1), NONCE).reason.splitlines()
    assert shown[1:4] == [cause, "…", "frame 6"]
    assert shown[-1] == victim
    short = verdict(case(), ending(f"{cause}\n{victim}\n", exit_code=1), NONCE).reason.splitlines()
    assert short[1:] == [cause, victim]


def test_a_check_that_ends_well_must_also_end_with_the_expected_code() -> None:
    found = verdict(case(exit_code=7), ending(), NONCE)
    assert found.reason.splitlines()[0] == "exit code 0 instead of 7"


def test_a_check_may_skip_itself_only_for_a_declared_need() -> None:
    log = f"xpubuild-skip: {NONCE}: no right to count\n"
    assert verdict(case(needs=frozenset({"perf"})), ending(log), NONCE) == Verdict(
        status="skipped", reason="no right to count"
    )
    assert verdict(case(), ending(log), NONCE).status == "failed"
    perf = case(needs=frozenset({"perf"}))
    assert verdict(perf, ending(log, exit_code=1), NONCE).status == "failed", "a skip ends well"
    assert verdict(perf, ending("xpubuild-skip: other: no right\n"), NONCE).status == "failed", "it knows the nonce"
    assert verdict(perf, ending(f"xpubuild-skip: {NONCE}: \n"), NONCE).status == "failed", "it says why"


def test_names_are_refused_that_two_checks_bear_or_no_file_can_all_at_once() -> None:
    check = CommandCheck(name="runs", command=("true",), expects="")
    with pytest.raises(Faults) as met:
        suite(check, check, replace(check, name="../runs"))
    assert [fault.brief for fault in met.value.faults] == [
        "the recipe torch has a check runs already",
        "'../runs' is no name of a check",
    ]


def test_what_needs_a_device_is_skipped_without_one_and_runs_with_one() -> None:
    needing = case(needs=frozenset({"device"}))
    assert skip_reason(needing, device=False) == "no accelerator on this machine"
    assert skip_reason(needing, device=True) is None


def test_an_import_is_held_against_the_locked_version() -> None:
    (found,) = suite(ImportCheck(name="torch-import", module="torch", distribution="torch")).cases
    assert found.environment == (
        ("XPUBUILD_CHECK", '{"distribution": "torch", "module": "torch", "version": "2.5.1"}'),
    )
    assert found.command == ("python", "/xpubuild-check/check.py")


def test_a_script_is_laid_beside_the_image_and_run_by_its_interpreter() -> None:
    (found,) = suite(ScriptCheck(name="a", source="checks/a.sh", interpreter=("sh",))).cases
    assert found.command == ("sh", "/xpubuild-check/a.sh")
    assert found.files == (("/xpubuild-check/a.sh", "true\n", 0o755),)


def test_a_signal_check_goes_through_the_entrypoint() -> None:
    (found,) = suite(SignalCheck(name="term", command=("sleep", "9"), signal="SIGTERM", exit_code=143)).cases
    assert (found.entrypoint, found.signal, found.exit_code) == (True, "SIGTERM", 143)
    assert found.command[-2:] == ("sleep", "9")


def test_the_suite_digest_moves_with_all_that_can_decide_a_result() -> None:
    check = CommandCheck(name="runs", command=("true",), expects="")
    digests = {
        suite(check).digest,
        suite(replace(check, expects="x")).digest,
        suite(replace(check, limits=Limits(seconds=1))).digest,
        suite(replace(check, needs=frozenset({"ptrace"}))).digest,
        suite(check, replace(check, name="runs-too")).digest,
        suite_for(
            (recipe("torch", "torch", checks=(ImportCheck(name="i", module="torch", distribution="torch"),)),), LOCK, {}
        ).digest,
        suite_for(
            (recipe("torch", "torch", checks=(ImportCheck(name="i", module="torch", distribution="torch"),)),),
            lock(wheel("torch", "2.6.0")),
            {},
        ).digest,
    }
    assert len(digests) == 7
    assert suite(check).digest == suite(check).digest
