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
_CHECKSUM = re.compile(r"--checksum=sha256:([0-9a-f]{64})")
_EXPORTED = re.compile(r" (to|for) \S+$| sha256:\S+$")
_CANCELLED = ("context canceled", "context cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """One step as BuildKit sees it; times in seconds since 1970, None while they have not come.

    `ran` tells that it was seen at work: a source whose bytes the engine already has ends without it.
    """

    digest: str
    name: str
    started: float | None = None
    completed: float | None = None
    cached: bool = False
    error: str | None = None
    source: bool = False
    ran: bool = False

    @property
    def sha256(self) -> str | None:
        """The checksum of the file that it fetches."""
        found = _CHECKSUM.search(self.name) if self.source else None
        return found[1] if found else None

    @property
    def counts(self) -> bool:
        """Whether it tells if its node was cached: sources and merges of layers are never told as cached."""
        return not self.source and "] LINK " not in self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """What a vertex does within its step (`name`), with bytes: so far, and in all (0 when unknown)."""

    vertex: str
    name: str
    current: int
    total: int
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """All that was told so far, in the order in which vertices were first named.

    `now` is the time of the newest event, `remarks` what concerns no single node, such as why it is tried again. `sizes`
    in bytes of files to fetch, by sha256: BuildKit tells no bytes of what it fetches over HTTP, the lock knows them.
    """

    vertices: Mapping[str, Vertex] = field(default_factory=dict)
    transfers: Mapping[tuple[str, str], Transfer] = field(default_factory=dict)
    now: float = 0.0
    remarks: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeProgress:
    """What one node does. `seconds` it has run so far or ran in all; bytes of its transfers."""

    name: str
    state: State
    step: str
    seconds: float
    current: int
    total: int

    @property
    def rate(self) -> float:
        """Bytes a second, over all the time it ran; 0 before there is anything to tell."""
        return self.current / self.seconds if self.seconds >= 1 else 0.0


def fold(state: Building, event: Mapping[str, Any]) -> Building:
    """The state after one line of rawjson."""
    vertices, transfers = dict(state.vertices), dict(state.transfers)
    times = [state.now]
    for told in event.get("vertexes") or ():
        vertex = _vertex(told, vertices.get(told["digest"]))
        vertices[told["digest"]] = vertex
        times.append(vertex.completed or vertex.started or 0.0)
    for told in event.get("statuses") or ():
        transfers[told["vertex"], told["id"]] = _transfer(told)
    timed = [*(event.get("statuses") or ()), *(event.get("logs") or ())]
    times += [_time(told.get("timestamp")) or 0.0 for told in timed]
    return replace(state, vertices=vertices, transfers=transfers, now=max(times))


def later(state: Building, seconds: float) -> Building:
    """The same when nothing was told for so many seconds: what runs has run longer."""
    return replace(state, now=state.now + seconds) if state.now else state


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
    moves: dict[str, list[Transfer]] = {}
    for transfer in state.transfers.values():
        moves.setdefault(transfer.vertex, []).append(transfer)
    for vertex in state.vertices.values():
        if vertex.ran and (size := state.sizes.get(vertex.sha256 or "")):
            moves.setdefault(vertex.digest, []).append(_fetched(vertex, size))
    return tuple(
        _node(name, group, [move for vertex in group for move in moves.get(vertex.digest, ())], now=state.now)
        for name, group in groups.items()
    )


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
        # A step that starts again, after its key was found, has not ended.
        completed=_time(told.get("completed")) or (None if told.get("started") else before.completed),
        cached=bool(told.get("cached")) or before.cached,
        error=told.get("error") or before.error,
        source=before.source or ("name" in told and not told.get("inputs")),
        ran=before.ran or bool(told.get("started") and not told.get("completed")),
    )


def _transfer(told: Mapping[str, Any]) -> Transfer:
    return Transfer(
        vertex=told["vertex"],
        name=told["id"],
        current=told.get("current") or 0,
        total=told.get("total") or 0,
        ended=bool(told.get("completed")),
    )


def _fetched(vertex: Vertex, size: int) -> Transfer:
    ended = vertex.completed is not None
    moved = size if ended and not vertex.error else 0
    return Transfer(vertex=vertex.digest, name="fetching", current=moved, total=size, ended=ended)


def _node(name: str, group: list[Vertex], moves: list[Transfer], *, now: float) -> NodeProgress:
    return NodeProgress(
        name=name,
        state=_state(group),
        step=_step(group, moves),
        seconds=_span([vertex for vertex in group if not vertex.cached], now),
        current=sum(move.current for move in moves),
        total=sum(max(move.total, move.current) for move in moves),
    )


def _step(group: list[Vertex], moves: list[Transfer]) -> str:
    """What is being done. The export is one vertex for all that it does: its open transfer tells which."""
    step = next((vertex for vertex in reversed(group) if vertex.started and not vertex.completed), group[-1])
    if node_of(step.name) == EXPORT:
        doing = [move.name for move in moves if move.vertex == step.digest and not move.ended]
        return _EXPORTED.sub("", doing[-1]) if doing else step.name
    match = _STAGE.match(step.name)
    return match["step"] if match else step.name


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
    begun = any(vertex.completed and (vertex.ran or not vertex.source) for vertex in group)
    return "running" if begun else "waiting"


def _was_cancelled(vertex: Vertex) -> bool:
    return any(word in (vertex.error or "") for word in _CANCELLED)


def _time(text: str | None) -> float | None:
    """RFC 3339 with nanoseconds, which `datetime` reads to microseconds."""
    if not text:
        return None
    return datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text)).timestamp()
