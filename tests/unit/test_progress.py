"""BuildKit's events become what each node does."""

from __future__ import annotations

import itertools
import json
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import FETCHED, state_of, states_of
from xpubuild.progress import Building, Vertex, cached_nodes, first_failure, fold, later, node_of, nodes

T = "2026-12-01T07:00:{:02}.123456789Z"


def vertex(digest: str, name: str, **more: Any) -> dict[str, Any]:
    return {"digest": digest, "name": name, "inputs": ["sha256:below"], **more}


def folded(*events: dict[str, Any]) -> Building:
    return reduce(fold, events, Building())


@pytest.mark.parametrize(
    ("name", "node"),
    [
        ("[root-torch 1/1] RUN --network=none true", "root-torch"),
        ("[image  9/19] COPY --link --from=root-debug /out/ /", "image"),
        ("[root-system-installed 1/1] RUN sh", "root-system"),
        ("[internal] load build context", None),
        ("exporting to image", "export"),
        ("something else", None),
    ],
)
def test_a_vertex_belongs_to_the_node_of_its_stage(name: str, node: str | None) -> None:
    assert node_of(name) == node


def test_a_node_is_waiting_then_running_then_done() -> None:
    waiting = {"vertexes": [vertex("a", "[root-x 1/1] RUN x")]}
    running = {"vertexes": [vertex("a", "[root-x 1/1] RUN x", started=T.format(1))]}
    done = {"vertexes": [vertex("a", "[root-x 1/1] RUN x", started=T.format(1), completed=T.format(5))]}
    states = [nodes(folded(*events))[0].state for events in ([waiting], [waiting, running], [waiting, running, done])]
    assert states == ["waiting", "running", "done"]
    assert nodes(folded(waiting, running, done))[0].seconds == pytest.approx(4.0)


def test_steps_beside_each_other_are_not_added_up() -> None:
    events = [
        vertex(str(n), f"[fetch-x {n}/3] ADD --link x", started=T.format(1), completed=T.format(11)) for n in range(3)
    ]
    assert nodes(folded({"vertexes": events}))[0].seconds == pytest.approx(10.0)


def test_sources_and_merges_do_not_tell_whether_a_node_was_cached() -> None:
    source = {"digest": "s", "name": "[fetch-x 1/1] ADD --link x", "started": T.format(1), "completed": T.format(1)}
    copied = vertex("c", "[fetch-x 1/1] ADD --link x", cached=True, started=T.format(2), completed=T.format(2))
    merged = vertex("m", "[fetch-x 1/1] LINK ADD --link x", started=T.format(2), completed=T.format(2))
    assert cached_nodes(folded({"vertexes": [source, copied, merged]})) == {"fetch-x": True}
    assert cached_nodes(folded({"vertexes": [source, copied | {"cached": False}, merged]})) == {"fetch-x": False}


def test_bytes_are_those_of_the_node_s_transfers() -> None:
    events = [
        {"vertexes": [vertex("a", "[fetch-x 1/1] ADD x", started=T.format(1))]},
        {"statuses": [{"id": "x.whl", "vertex": "a", "current": 10, "total": 100, "timestamp": T.format(2)}]},
        {"statuses": [{"id": "x.whl", "vertex": "a", "current": 60, "total": 100, "timestamp": T.format(3)}]},
    ]
    (node,) = nodes(folded(*events))
    assert (node.current, node.total, node.seconds) == (60, 100, pytest.approx(2.0))


def test_the_first_failure_is_no_cancelled_sibling() -> None:
    cancelled = vertex("a", "[root-a 1/1] RUN a", completed=T.format(2), error="context canceled")
    failed = vertex("b", "[root-b 1/1] RUN b", completed=T.format(3), error="exit code: 3")
    state = folded({"vertexes": [cancelled, failed]})
    found = first_failure(state)
    assert isinstance(found, Vertex)
    assert found.name == "[root-b 1/1] RUN b"
    assert {node.name: node.state for node in nodes(state)} == {"root-a": "cancelled", "root-b": "failed"}


def test_a_real_build_that_ran() -> None:
    found = {node.name: (node.state, node.current, node.total) for node in nodes(state_of("built"))}
    assert found == {
        "image": ("done", 0, 0),
        "root-torch": ("done", 0, 0),
        "fetch-torch": ("done", FETCHED, FETCHED),
        "export": ("done", 0, 0),
    }
    assert cached_nodes(state_of("built")) == dict.fromkeys(found, False)


def test_a_real_build_that_was_cached_fetched_nothing() -> None:
    found = {node.name: (node.state, node.total) for node in nodes(state_of("cached"))}
    assert found == {
        "image": ("cached", 0), "root-torch": ("cached", 0), "fetch-torch": ("cached", 0), "export": ("done", 0),
    }  # fmt: skip


def test_a_real_fetch_has_run_for_as_long_as_it_runs() -> None:
    """BuildKit ends the step once when its key is found, and starts it again to fetch."""
    seen = [(node.state, later(state, 5).now) for state in states_of("built") for node in nodes(state)
            if node.name == "fetch-torch"]  # fmt: skip
    assert [state for state, _ in itertools.groupby(state for state, _ in seen)] == ["waiting", "running", "done"]
    during = next(state for state in states_of("built") if nodes(state)[2:] and nodes(state)[2].state == "running")
    assert nodes(later(during, 5))[2].seconds == pytest.approx(5.0, abs=0.2)


def test_a_real_failure_is_the_step_that_failed_first() -> None:
    failed = first_failure(state_of("failed"))
    assert failed is not None
    assert (node_of(failed.name), (failed.error or "").rsplit("exit code", 1)[-1]) == ("root-torch", ": 3")


def test_the_export_tells_what_it_does() -> None:
    steps = [node.step for state in states_of("built") for node in nodes(state) if node.name == "export"]
    assert [step for step, _ in itertools.groupby(steps)] == [
        "exporting layers", "exporting manifest", "exporting config", "naming", "unpacking", "exporting to image",
        "pushing layers", "pushing manifest", "exporting to image",
    ]  # fmt: skip


SHA = [f"{number:064x}" for number in range(1, 7)]
SIZES = {sha: 10**place for place, sha in enumerate(SHA)}


def source(place: int, **more: Any) -> dict[str, Any]:
    return {
        "digest": f"s{place}",
        "name": f"[fetch-{place % 2} 1/1] ADD --link --checksum=sha256:{SHA[place]} u /",
        **more,
    }


@given(st.permutations(range(6)), st.sets(st.integers(0, 5)), st.integers(0, 6))
def test_bytes_are_those_of_the_files_that_are_fetched(order: list[int], fetched: set[int], ended: int) -> None:
    """The others were found in the engine's store: told as ended at once."""
    state = Building(sizes=SIZES)
    for place in order:
        told = {"started": T.format(1)} if place in fetched else {"started": T.format(1), "completed": T.format(1)}
        state = fold(state, {"vertexes": [source(place, **told)]})
    finished = [place for place in order if place in fetched][:ended]
    for place in finished:
        state = fold(state, {"vertexes": [source(place, started=T.format(1), completed=T.format(9))]})
    assert sum(node.total for node in nodes(state)) == sum(10**place for place in fetched)
    assert sum(node.current for node in nodes(state)) == sum(10**place for place in finished)
    assert all(node.current <= node.total for node in nodes(state))


VERTICES = [
    vertex(str(n), f"[root-{n % 3} 1/1] RUN {n}", started=T.format(n), completed=T.format(n + 1)) for n in range(6)
]


@given(st.permutations(VERTICES), st.lists(st.integers(1, 5), max_size=3))
def test_the_order_in_which_events_come_does_not_matter(order: list[dict[str, Any]], cuts: list[int]) -> None:
    bounds = sorted({0, *cuts, len(order)})
    events = [{"vertexes": order[start:end]} for start, end in itertools.pairwise(bounds)]
    found = {node.name: (node.state, node.seconds) for node in nodes(folded(*events))}
    whole = {node.name: (node.state, node.seconds) for node in nodes(folded({"vertexes": VERTICES}))}
    assert json.dumps(found, sort_keys=True) == json.dumps(whole, sort_keys=True)
