"""Draws the events of a workflow: live on a terminal, plain lines elsewhere, JSON lines for machines.

Data goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Self, TextIO, assert_never

from xpubuild.console.quantities import seconds_text, size_text
from xpubuild.ports.events import BuildProgressed, CheckEnded, CheckStarted, Noted
from xpubuild.progress import nodes

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from xpubuild.ports.events import Event
    from xpubuild.progress import Building, NodeProgress

_EVERY_SECONDS = 30
_ROWS = 16
_RUNS = ("running", "failed")


def console_for(*, as_json: bool, stream: TextIO | None = None) -> Report:
    """The console that fits: JSON lines when asked for, live on a terminal, else plain lines."""
    out = stream or sys.stderr
    if as_json:
        return JsonReport(sys.stdout)
    return LiveReport(out) if out.isatty() else PlainReport(out)


class Report(AbstractContextManager["Report"]):
    """Takes events while it is entered."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def emit(self, event: Event) -> None:
        """Draw one event."""
        raise NotImplementedError


class JsonReport(Report):
    """One JSON object a line; for builds, one when a node changes its state."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._states: dict[str, str] = {}

    def emit(self, event: Event) -> None:
        """Draw one event."""
        for document in self._documents(event):
            self._stream.write(json.dumps(document, ensure_ascii=False) + "\n")
            self._stream.flush()

    def _documents(self, event: Event) -> list[dict[str, Any]]:
        match event:
            case Noted():
                return [{"event": "note", "text": event.text}]
            case CheckStarted():
                return [{"event": "check-started", "check": event.name}]
            case CheckEnded():
                return [
                    {
                        "event": "check-ended",
                        "check": event.name,
                        "status": event.status,
                        "reason": event.reason,
                        "seconds": round(event.seconds, 3),
                    }
                ]
            case BuildProgressed():
                return [
                    {"event": "node", "node": node.name, "state": node.state, "seconds": round(node.seconds, 3)}
                    for node in changed_nodes(event.state, self._states)
                ]
            case _:
                assert_never(event)


class PlainReport(Report):
    """Lines without control codes: when a node starts and ends, and now and then for those that take long."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._states: dict[str, str] = {}
        self._told: dict[str, float] = {}

    def emit(self, event: Event) -> None:
        """Draw one event."""
        for line in self._lines(event):
            self._stream.write(line + "\n")
        self._stream.flush()

    def _lines(self, event: Event) -> list[str]:
        match event:
            case Noted():
                return [event.text]
            case CheckStarted():
                return []
            case CheckEnded():
                return [check_line(event)]
            case BuildProgressed():
                return self._build_lines(event.state)
            case _:
                assert_never(event)

    def _build_lines(self, state: Building) -> list[str]:
        changed = changed_nodes(state, self._states)
        lines = [node_line(node) for node in changed if node.state != "waiting"]
        self._told |= {node.name: state.now for node in changed}
        for node in nodes(state):
            if node.state in _RUNS and state.now - self._told.get(node.name, state.now) >= _EVERY_SECONDS:
                self._told[node.name] = state.now
                lines.append(node_line(node))
        return lines


class LiveReport(Report):
    """A table of nodes that is drawn in place; what ended scrolls away above it."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console

        self._console = Console(file=stream)
        self._live: Live | None = None

    def __exit__(self, *_: object) -> None:
        self._end()

    def emit(self, event: Event) -> None:
        """Draw one event."""
        match event:
            case BuildProgressed():
                self._draw(event.state)
            case Noted():
                self._end()
                self._console.print(event.text, highlight=False)
            case CheckEnded():
                self._end()
                colour = {"passed": "green", "failed": "bold red", "skipped": "yellow"}[event.status]
                self._console.print(check_line(event), style=colour, highlight=False)
            case CheckStarted():
                self._end()
            case _:
                assert_never(event)

    def _draw(self, state: Building) -> None:
        from rich.live import Live

        if self._live is None:
            self._live = Live(console=self._console, refresh_per_second=6)
            self._live.start()
        self._live.update(build_table(state))

    def _end(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


def changed_nodes(state: Building, states: dict[str, str]) -> list[NodeProgress]:
    """The nodes whose state is another than `states` has; `states` is brought up to date."""
    changed = [node for node in nodes(state) if states.get(node.name) != node.state]
    states.update({node.name: node.state for node in changed})
    return changed


def node_line(node: NodeProgress) -> str:
    """One node in one line: `root-torch: done in 31 s, 906.5 MB`."""
    size = f", {size_text(node.total)}" if node.total else ""
    match node.state:
        case "running" if node.seconds >= _EVERY_SECONDS:
            moved = f", {size_text(node.current)} of {size_text(node.total)}" if node.total else ""
            return f"{node.name}: running for {seconds_text(node.seconds)}{moved}"
        case "done":
            return f"{node.name}: done in {seconds_text(node.seconds)}{size}"
        case _:
            return f"{node.name}: {node.state}"


def check_line(event: CheckEnded) -> str:
    """One check in one line: `passed  torch-import (12 s)`."""
    reason = f": {event.reason}" if event.reason else ""
    return f"{event.status:<7} {event.name} ({seconds_text(event.seconds)}){reason}"


def build_table(state: Building) -> Table:
    """The nodes that run, those that ended last, and how many wait."""
    from rich.table import Table

    everything = nodes(state)
    shown = [node for node in everything if node.state in _RUNS]
    ended = [node for node in everything if node.state in {"done", "cached", "cancelled"}]
    waiting = sum(node.state == "waiting" for node in everything)
    table = Table(box=None, pad_edge=False, show_header=False)
    for node in [*ended[-(_ROWS - len(shown[:_ROWS])) or len(ended) :], *shown[:_ROWS]]:
        table.add_row(*_cells(node))
    table.add_row("", f"{len(ended)} ended, {len(shown)} running, {waiting} waiting", "", "", style="dim")
    return table


def _cells(node: NodeProgress) -> tuple[str, str, str, str]:
    mark = {"running": "[cyan]▸[/]", "done": "[green]✓[/]", "cached": "[dim]=[/]", "failed": "[bold red]✗[/]"}
    moved = ""
    if node.total:
        rate = f" {size_text(node.current / node.seconds)}/s" if node.state == "running" and node.seconds > 1 else ""
        moved = f"{size_text(node.current)} / {size_text(node.total)}{rate}"
    return mark.get(node.state, "·"), node.name, moved, seconds_text(node.seconds) if node.seconds else ""
