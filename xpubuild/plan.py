"""What will a build do, node by node, and why?

A plan is a list of actions with reasons. It is made from the graph and from what the engine is known to hold; the
engine has the last word, and a build compares the two.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xpubuild.graph import Base, Fetch, Node

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from xpubuild.keys import Keyed
    from xpubuild.model.artifact import Artifact


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """The engine holds the result of this node."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """The node has to run. `changed` names the inputs that differ from the node of that name last built; empty: new."""

    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One node of the plan. `fetch` in bytes, what it alone has to bring from outside."""

    node: Node
    key: str
    action: Reuse | Rebuild
    fetch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Every node of a graph with what will happen to it."""

    steps: tuple[Step, ...]

    @property
    def fetch(self) -> int:
        """Bytes to bring from outside."""
        return sum(step.fetch for step in self.steps)

    @property
    def rebuilt(self) -> tuple[Step, ...]:
        """What has to run."""
        return tuple(step for step in self.steps if isinstance(step.action, Rebuild))


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What one engine is known to hold.

    `keys` of nodes it built, `files` (sha256) it fetched, and for each node name the document of the last build.
    """

    keys: AbstractSet[str]
    files: AbstractSet[str]
    documents: Mapping[str, str]


NOTHING = Known(keys=frozenset(), files=frozenset(), documents={})


def plan_for(nodes: tuple[Keyed, ...], known: Known) -> Plan:
    """What a build of these nodes will do on an engine that holds `known`."""
    return Plan(steps=tuple(_step(entry, known) for entry in nodes))


def _step(entry: Keyed, known: Known) -> Step:
    if entry.key in known.keys or isinstance(entry.node, Base):
        return Step(node=entry.node, key=entry.key, action=Reuse(), fetch=0)
    changed = changed_inputs(known.documents.get(entry.node.name), entry.document)
    fetch = 0
    if isinstance(entry.node, Fetch):
        fetch = sum(artifact.size for artifact in _unknown(entry.node.artifacts, known))
    return Step(node=entry.node, key=entry.key, action=Rebuild(changed=changed), fetch=fetch)


def _unknown(artifacts: tuple[Artifact, ...], known: Known) -> tuple[Artifact, ...]:
    return tuple(artifact for artifact in artifacts if artifact.sha256 not in known.files)


def changed_inputs(before: str | None, after: str) -> tuple[str, ...]:
    """The members in which two key documents differ; empty when there is no earlier one."""
    if before is None:
        return ()
    old, new = json.loads(before), json.loads(after)
    return tuple(sorted(name for name in {*old, *new} if old.get(name) != new.get(name)))
