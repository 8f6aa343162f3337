"""Whole texts of what people and machines see."""

from __future__ import annotations

import io
import json
import re
from contextlib import suppress
from dataclasses import replace

import pytest
from rich.console import Console

from tests.samples import state_of, states_of
from xpubuild.console.faults import fault_document, fault_text
from xpubuild.console.live import LiveView, build_view
from xpubuild.console.quantities import seconds_text, size_text
from xpubuild.console.report import JsonReport, LiveReport, PlainReport, Report, console_for
from xpubuild.errors import BuildError, Faults, InputError
from xpubuild.ports.events import BuildProgressed, CheckEnded, CheckStarted, Event, Noted
from xpubuild.progress import Building, fold, later

CHECKS: tuple[Event, ...] = (
    CheckStarted(name="torch-import"),
    CheckEnded(name="torch-import", status="passed", reason="", seconds=12.4),
    CheckEnded(name="nccl-device", status="skipped", reason="needs a device [gpu]", seconds=0.0),
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def plain(*events: Event) -> str:
    stream = io.StringIO()
    report = PlainReport(stream)
    for event in events:
        report.emit(event)
    return stream.getvalue()


def progress(*states: Building) -> list[Event]:
    return [BuildProgressed(state=state) for state in states]


def drawn(state: Building, *, rows: int = 16, width: int = 72) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None).print(build_view(state, rows=rows))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def test_plain_lines_of_a_build_that_ran() -> None:
    assert plain(*progress(*states_of("built"))) == (
        "fetch-torch: running\n"
        "fetch-torch: done in 1.9 s, 16.0 MB\n"
        "root-torch: running\n"
        "root-torch: done in 0.2 s\n"
        "image: running\n"
        "image: done in 0.0 s\n"
        "export: running\n"
        "export: done in 0.6 s\n"
    )


def test_plain_lines_of_a_build_that_was_cached() -> None:
    assert plain(*progress(*states_of("cached"))) == (
        "image: cached\nroot-torch: cached\nfetch-torch: cached\nexport: running\nexport: done in 0.1 s\n"
    )


def test_plain_lines_of_a_build_that_failed() -> None:
    assert plain(*progress(*states_of("failed"))) == (
        "root-vllm: running\nroot-torch: running\nroot-torch: failed\nroot-vllm: cancelled\n"
    )


def test_a_node_that_runs_for_long_is_told_of_every_30_s_also_when_buildkit_says_nothing() -> None:
    begun = {
        "vertexes": [
            {
                "digest": "a",
                "name": f"[fetch-torch 1/1] ADD --link --checksum=sha256:{'a' * 64} x /",
                "started": "2026-12-01T07:00:00Z",
            }
        ],
        "statuses": [
            {"id": "x", "vertex": "a", "current": 60_000_000, "total": 90_000_000, "timestamp": "2026-12-01T07:00:00Z"}
        ],
    }
    state = fold(Building(), begun)
    ticks = [later(state, seconds) for seconds in range(62)]
    assert plain(*progress(*ticks)) == (
        "fetch-torch: running\n"
        "fetch-torch: running for 30 s, 60.0 MB of 90.0 MB, 2.0 MB/s\n"
        "fetch-torch: running for 1 min 00 s, 60.0 MB of 90.0 MB, 1.0 MB/s\n"
    )


def test_remarks_are_told_once() -> None:
    state = Building(remarks=("the mirror is busy: trying again in 1 s",))
    more = replace(state, remarks=(*state.remarks, "again"))
    assert plain(*progress(state, state, more)) == "the mirror is busy: trying again in 1 s\nagain\n"


def test_plain_lines_of_checks_and_notes() -> None:
    assert plain(Noted(text="making the base"), *CHECKS) == (
        "making the base\npassed  torch-import (12 s)\nskipped nccl-device (0.0 s): needs a device [gpu]\n"
    )


def test_json_lines() -> None:
    stream = io.StringIO()
    report = JsonReport(stream)
    for event in [*progress(*states_of("cached")), Noted(text="grüße"), *CHECKS]:
        report.emit(event)
    documents = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(told["node"], told["state"]) for told in documents if told["event"] == "node"] == [
        ("image", "waiting"), ("root-torch", "waiting"), ("fetch-torch", "waiting"),
        ("image", "cached"), ("root-torch", "cached"), ("fetch-torch", "cached"),
        ("export", "running"), ("export", "done"),
    ]  # fmt: skip
    assert documents[-5] == {
        "event": "node", "node": "export", "state": "done", "seconds": 0.123, "bytes": 0, "total": 0,
    }  # fmt: skip
    assert documents[-4:] == [
        {"event": "note", "text": "grüße"},
        {"event": "check-started", "check": "torch-import"},
        {"event": "check-ended", "check": "torch-import", "status": "passed", "reason": "", "seconds": 12.4},
        {
            "event": "check-ended", "check": "nccl-device", "status": "skipped", "reason": "needs a device [gpu]",
            "seconds": 0.0,
        },
    ]  # fmt: skip


def test_the_live_view_of_a_build_in_the_middle() -> None:
    during = next(state for state in states_of("built") if drawn(state).startswith("▸"))
    assert drawn(later(during, 2.0)) == "▸  fetch-torch  0 B of 16.0 MB  2.0 s\n1 running, 2 waiting\n"


def test_the_live_view_shows_what_the_export_does() -> None:
    pushing = [state for state in states_of("built") if "pushing layers" in drawn(state)]
    assert drawn(pushing[0]).splitlines()[-2].split() == ["▸", "export", "pushing", "layers", "0.4", "s"]


def test_the_live_view_of_a_failed_build_and_its_bound() -> None:
    lines = drawn(state_of("failed")).splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [["-", "root-vllm"], ["✗", "root-torch"]]
    assert lines[-1] == "1 failed, 1 cancelled, 1 waiting"
    assert [line.split()[:2] for line in drawn(state_of("failed"), rows=1).splitlines()[:-1]] == [["✗", "root-torch"]]


def test_the_live_view_keeps_its_rows_however_many_nodes_run() -> None:
    vertexes = [
        {"digest": str(n), "name": f"[root-{n} 1/1] RUN x", "started": "2026-12-01T07:00:00Z"} for n in range(60)
    ]
    lines = drawn(fold(Building(), {"vertexes": vertexes})).splitlines()
    assert (len(lines), lines[-1]) == (17, "60 running")


def terminal(monkeypatch: pytest.MonkeyPatch, **environment: str) -> tuple[Terminal, Report]:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLORTERM", "COLUMNS", "TTY_INTERACTIVE", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = Terminal()
    return stream, console_for(as_json=False, stream=stream)


def test_a_terminal_gets_the_live_view_with_colours_and_a_reason_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, report = terminal(monkeypatch, TERM="xterm-256color")
    with report:
        for event in [*progress(*states_of("built")), *CHECKS]:
            report.emit(event)
    assert isinstance(report, LiveReport)
    assert "\x1b[32m" in stream.getvalue()
    assert "needs a device [gpu]" in stream.getvalue()
    assert stream.getvalue().endswith("\n")


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, report = terminal(monkeypatch, TERM="xterm-256color", NO_COLOR="1")
    with report:
        for event in [*progress(*states_of("built")), *CHECKS]:
            report.emit(event)
    assert re.findall(r"\x1b\[[0-9;]*3[0-9]m", stream.getvalue()) == []


def test_a_dumb_terminal_and_a_pipe_get_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(terminal(monkeypatch, TERM="dumb")[1], PlainReport)
    assert isinstance(console_for(as_json=False, stream=io.StringIO()), PlainReport)
    assert isinstance(console_for(as_json=True), JsonReport)


def test_the_live_view_ends_when_an_error_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, report = terminal(monkeypatch, TERM="xterm")
    with suppress(BuildError), report:
        report.emit(BuildProgressed(state=state_of("failed")))
        raise BuildError("it failed")
    assert "\x1b[?25h" in stream.getvalue(), "the cursor is shown again"
    assert isinstance(report, LiveReport)
    assert isinstance(report._view, LiveView)


def test_an_error_is_drawn_with_place_details_and_hint() -> None:
    fault = BuildError(
        "the step ended with exit code 3", where="verify", details="RUN x\nlast words", hint="see the log"
    )
    assert fault_text(fault) == (
        "error: verify: the step ended with exit code 3\n  RUN x\n  last words\n\nhint: see the log\n"
    )


def test_all_faults_are_drawn_and_told() -> None:
    faults = Faults([InputError("no such key", where="a.toml: x"), BuildError("worse")])
    assert fault_text(faults) == "error: a.toml: x: no such key\n\nerror: worse\n"
    assert fault_document(faults) == {
        "event": "failed",
        "exit-code": 2,
        "errors": [
            {"brief": "no such key", "where": "a.toml: x", "hint": None, "details": None},
            {"brief": "worse", "where": None, "hint": None, "details": None},
        ],
    }


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (1_500_000, "1.5 MB"),
        (999_949_999, "999.9 MB"), (999_950_000, "1.0 GB"), (3_650_000_000, "3.6 GB"), (2e12, "2.0 TB"),
    ],
)  # fmt: skip
def test_sizes_are_decimal(count: float, text: str) -> None:
    assert size_text(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (59.7, "1 min 00 s"), (243, "4 min 03 s"),
        (3599.9, "1 h 00 min"), (3720, "1 h 02 min"),
    ],
)  # fmt: skip
def test_spans_of_time(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text
