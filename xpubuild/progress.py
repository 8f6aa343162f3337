"""What is each node of a build doing, as BuildKit's status events tell?

BuildKit reports vertices (steps, named `[STAGE 2/3] RUN …`), statuses (bytes of a transfer within a vertex) and logs,
in JSON lines (`--progress=rawjson`). Events are folded into a value; times are the events' own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

State = Literal["waiting", "running", "cached", "done", "failed", "cancelled"]
EXPORT = "export"
DOWNLOAD = "download"
_STAGE = re.compile(r"^\[(?P<stage>[^\]\s]+)(?:\s+[^\]]*)?\]\s+(?P<step>.*)$", re.DOTALL)
_CANCELLED = ("context canceled", "context cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """One step as BuildKit sees it; times in seconds since 1970, None while they have not come."""

    digest: str
    name: str
    started: float | None = None
    completed: float | None = None
    cached: bool = False
    error: str | None = None
    source: bool = False

    @property
    def counts(self) -> bool:
        """Whether it tells if its node was cached: sources and merges of layers are never told as cached."""
        return not self.source and "] LINK " not in self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Bytes that a vertex moves: so far, and in all (0 when unknown)."""

    vertex: str
    current: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """All that was told so far, in the order in which vertices were first named."""

    vertices: Mapping[str, Vertex] = field(default_factory=dict)
    transfers: Mapping[tuple[str, str], Transfer] = field(default_factory=dict)
    now: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeProgress:
    """What one node does. `seconds` it has run so far or ran in all; bytes of its transfers."""

    name: str
    state: State
    step: str
    seconds: float
    current: int
    total: int


def fold(state: Building, event: Mapping[str, Any]) -> Building:
    """The state after one line of rawjson."""
    vertices = dict(state.vertices)
    for told in event.get("vertexes") or ():
        vertices[told["digest"]] = _vertex(told, vertices.get(told["digest"]))
    transfers = dict(state.transfers)
    for told in event.get("statuses") or ():
        transfers[told["vertex"], told["id"]] = Transfer(
            vertex=told["vertex"], current=told.get("current") or 0, total=told.get("total") or 0
        )
    times = [vertex.completed or vertex.started or 0.0 for vertex in vertices.values()]
    times += [_time(told.get("timestamp")) or 0.0 for told in event.get("statuses") or ()]
    times += [_time(told.get("timestamp")) or 0.0 for told in event.get("logs") or ()]
    return Building(vertices=vertices, transfers=transfers, now=max([state.now, *times]))


def node_of(vertex: str) -> str | None:
    """The node that a vertex of this name belongs to; None for what BuildKit does for itself."""
    if match := _STAGE.match(vertex):
        stage = match["stage"]
        return None if stage in {"internal", "context", "auth"} else stage.removesuffix("-installed")
    if vertex.startswith(("exporting", "pushing", "merging")):
        return EXPORT
    return DOWNLOAD if vertex.startswith(("http://", "https://")) else None


def nodes(state: Building) -> tuple[NodeProgress, ...]:
    """Every node that was named, in order."""
    groups: dict[str, list[Vertex]] = {}
    for vertex in state.vertices.values():
        if (name := node_of(vertex.name)) is not None:
            groups.setdefault(name, []).append(vertex)
    return tuple(_node(name, group, state) for name, group in groups.items())


def first_failure(state: Building) -> Vertex | None:
    """The step that failed first; steps that were cancelled for its sake did not fail."""
    failed = [vertex for vertex in state.vertices.values() if vertex.error and not _was_cancelled(vertex)]
    return min(failed, key=lambda vertex: vertex.completed or state.now, default=None)


def cached_nodes(state: Building) -> dict[str, bool]:
    """For each node that was named and ended, whether all of its steps were cached."""
    return {node.name: node.state == "cached" for node in nodes(state) if node.state in {"cached", "done"}}


def _vertex(told: Mapping[str, Any], known: Vertex | None) -> Vertex:
    before = known or Vertex(digest=told["digest"], name=told.get("name", ""))
    return replace(
        before,
        started=_time(told.get("started")) or before.started,
        completed=_time(told.get("completed")) or before.completed,
        cached=bool(told.get("cached")) or before.cached,
        error=told.get("error") or before.error,
        source=before.source or ("name" in told and not told.get("inputs")),
    )


def _node(name: str, group: list[Vertex], state: Building) -> NodeProgress:
    digests = {vertex.digest for vertex in group}
    moved = [transfer for transfer in state.transfers.values() if transfer.vertex in digests]
    running = [vertex for vertex in group if vertex.started and not vertex.completed]
    step = (running or group)[-1].name
    match = _STAGE.match(step)
    return NodeProgress(
        name=name,
        state=_state(group),
        step=match["step"] if match else step,
        seconds=_span([vertex for vertex in group if not vertex.cached], state.now),
        current=sum(transfer.current for transfer in moved),
        total=sum(max(transfer.total, transfer.current) for transfer in moved),
    )


def _span(group: list[Vertex], now: float) -> float:
    """From the first start to the last end: steps of one node run beside each other."""
    starts = [vertex.started for vertex in group if vertex.started]
    return max(vertex.completed or now for vertex in group if vertex.started) - min(starts) if starts else 0.0


def _state(group: list[Vertex]) -> State:
    if any(vertex.error and not _was_cancelled(vertex) for vertex in group):
        return "failed"
    if any(vertex.error for vertex in group):
        return "cancelled"
    if any(vertex.started and not vertex.completed for vertex in group):
        return "running"
    if all(vertex.completed for vertex in group):
        counted = [vertex for vertex in group if vertex.counts]
        return "cached" if all(vertex.cached for vertex in counted or group) else "done"
    return "running" if any(vertex.completed for vertex in group) else "waiting"


def _was_cancelled(vertex: Vertex) -> bool:
    return any(word in (vertex.error or "") for word in _CANCELLED)


def _time(text: str | None) -> float | None:
    """RFC 3339 with nanoseconds, which `datetime` reads to microseconds."""
    if not text:
        return None
    return datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text)).timestamp()
