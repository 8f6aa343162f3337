"""Draws the events of a workflow: live on a terminal, plain lines elsewhere, JSON lines for machines.

Data goes to standard output, everything else to standard error.
"""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Self, TextIO, assert_never

from xpubuild.console.lines import LONG_SECONDS, check_line, node_line
from xpubuild.ports.events import BuildProgressed, CheckEnded, CheckStarted, Noted
from xpubuild.progress import nodes

if TYPE_CHECKING:
    from xpubuild.console.live import LiveView
    from xpubuild.ports.events import Event
    from xpubuild.progress import Building, NodeProgress


def console_for(*, as_json: bool, stream: TextIO | None = None) -> Report:
    """The console that fits: JSON lines when asked for, live on a terminal that can move its cursor, else plain lines."""
    out = stream or sys.stderr
    if as_json:
        return JsonReport(sys.stdout)
    if not out.isatty():
        return PlainReport(out)
    from rich.console import Console

    from xpubuild.console.live import LiveView

    console = Console(file=out)
    return PlainReport(out) if console.is_dumb_terminal else LiveReport(LiveView(console))


class Report(AbstractContextManager["Report"]):
    """Takes events while it is entered."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def emit(self, event: Event) -> None:
        """Draw one event."""
        raise NotImplementedError


class LiveReport(Report):
    """What is drawn in place stops when this is left."""

    def __init__(self, view: LiveView) -> None:
        self._view = view

    def __exit__(self, *_: object) -> None:
        self._view.end()

    def emit(self, event: Event) -> None:
        """Draw one event."""
        self._view.emit(event)


class JsonReport(Report):
    """One JSON object a line; for builds, one when a node changes its state."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._news = _News()

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
                return [_check_document(event)]
            case BuildProgressed():
                notes = [{"event": "note", "text": remark} for remark in self._news.remarks(event.state)]
                return [*notes, *(_node_document(node) for node in self._news.changed(event.state))]
            case _:
                assert_never(event)


class PlainReport(Report):
    """Lines without control codes: when a node starts and ends, and now and then for those that take long."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._news = _News()

    def emit(self, event: Event) -> None:
        """Draw one event."""
        lines = self._lines(event)
        if lines:
            self._stream.write("".join(f"{line}\n" for line in lines))
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
                told = [*self._news.changed(event.state), *self._news.long(event.state)]
                lines = [node_line(node) for node in told if node.state != "waiting"]
                return [*self._news.remarks(event.state), *lines]
            case _:
                assert_never(event)


class _News:
    """What was not yet told of a build."""

    def __init__(self) -> None:
        self._states: dict[str, str] = {}
        self._told: dict[str, float] = {}
        self._remarks = 0

    def remarks(self, state: Building) -> tuple[str, ...]:
        """Remarks that were not told."""
        new = state.remarks[self._remarks :]
        self._remarks = len(state.remarks)
        return new

    def changed(self, state: Building) -> list[NodeProgress]:
        """The nodes that do something else than was told."""
        changed = [node for node in nodes(state) if self._states.get(node.name) != node.state]
        self._states |= {node.name: node.state for node in changed}
        self._told |= {node.name: state.now for node in changed}
        return changed

    def long(self, state: Building) -> list[NodeProgress]:
        """The nodes that have run on for long since they were told of."""
        due = {name for name, told in self._told.items() if state.now - told >= LONG_SECONDS}
        if not any(self._states[name] == "running" for name in due):
            return []
        found = [node for node in nodes(state) if node.name in due and node.state == "running"]
        self._told |= {node.name: state.now for node in found}
        return found


def _check_document(event: CheckEnded) -> dict[str, Any]:
    return {
        "event": "check-ended",
        "check": event.name,
        "status": event.status,
        "reason": event.reason,
        "seconds": round(event.seconds, 3),
    }


def _node_document(node: NodeProgress) -> dict[str, Any]:
    return {
        "event": "node",
        "node": node.name,
        "state": node.state,
        "seconds": round(node.seconds, 3),
        "bytes": node.current,
        "total": node.total,
    }
