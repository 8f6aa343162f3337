"""Which steps make an image out of a lock and its recipes, and what is each made from?

Each recipe brings one root: the files below one directory of its own stage, which stands on the small builder and not on the
base. The image merges whole roots onto the base. The graph is a value; `keys` identifies its nodes, `render` writes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xpubuild.errors import InputError, LockError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xpubuild.model.artifact import Artifact, Deb, Sdist, Wheel

PREFIX = "/opt/xpu"
"""Where the Python stack lies: an environment (PEP 405) of the base's interpreter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A program that runs in a stage; `name` is its file below `stages/` of the rendered context."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """A root file system by its manifest digest; enters as the build context of the same name."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """Locked files, side by side in one scratch stage."""

    name: str
    artifacts: tuple[Artifact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """The image in which roots are made: `base` with uv."""

    name: str
    base: str
    fetch: str
    scripts: tuple[Script, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltWheel:
    """A wheel made from a locked sdist, without network, with exactly the locked build requirements."""

    name: str
    sdist: Sdist
    builder: str
    fetch: str
    scripts: tuple[Script, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """The files of one component. `layout` is the JSON list of files laid beside its wheels; `size` in bytes."""

    name: str
    component: str
    builder: str
    fetch: str | None
    built: tuple[str, ...]
    distributions: tuple[str, ...]
    layout: str
    scripts: tuple[Script, ...]
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRoot:
    """What installing the locked .debs changes against the base."""

    name: str
    base: str
    builder: str
    fetch: str
    debs: tuple[Deb, ...]
    epoch: int
    scripts: tuple[Script, ...]
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    """The step that refuses roots which cannot be merged; its own root is a list of what was merged."""

    name: str
    base: str
    builder: str
    roots: tuple[str, ...]
    scripts: tuple[Script, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """The base with the roots merged onto it, lowest first."""

    name: str
    base: str
    roots: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    entrypoint: tuple[str, ...]
    command: tuple[str, ...]
    labels: tuple[tuple[str, str], ...]
    epoch: int


AnyRoot = Root | SystemRoot | Verify
Node = Base | Fetch | Builder | BuiltWheel | AnyRoot | Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """All nodes, inputs before what they go into; names are unique and are the names of Dockerfile stages."""

    nodes: tuple[Node, ...]

    def node(self, name: str) -> Node:
        """The node of that name; KeyError when there is none."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise KeyError(name)

    @property
    def image(self) -> Image:
        """The node that everything goes into."""
        (image,) = (node for node in self.nodes if isinstance(node, Image))
        return image

    @property
    def fetches(self) -> tuple[Fetch, ...]:
        """The nodes that bring bytes from outside."""
        return tuple(node for node in self.nodes if isinstance(node, Fetch))


def inputs_of(node: Node) -> tuple[str, ...]:
    """The names of the nodes that this one is made from."""
    match node:
        case Base() | Fetch():
            return ()
        case Builder():
            return (node.base, node.fetch)
        case BuiltWheel():
            return (node.builder, node.fetch)
        case Root():
            return (node.builder, *((node.fetch,) if node.fetch else ()), *node.built)
        case SystemRoot():
            return (node.base, node.builder, node.fetch)
        case Verify():
            return (node.base, node.builder, *node.roots)
        case Image():
            return (node.base, *node.roots)


def graph_of(nodes: Iterable[Node]) -> Graph:
    """Put nodes in order, inputs first.

    Raises:
        InputError: a name is used twice, an input does not exist, or nodes go into each other in a circle.
    """
    waiting: dict[str, Node] = {}
    for node in nodes:
        if node.name in waiting:
            raise InputError(f"two nodes of the graph are named {node.name}", hint="rename one of the two recipes")
        waiting[node.name] = node
    ordered: dict[str, Node] = {}
    while waiting:
        ready = [name for name, node in waiting.items() if all(source in ordered for source in inputs_of(node))]
        if not ready:
            raise InputError(
                f"these nodes wait for each other or for nodes that do not exist: {', '.join(sorted(waiting))}"
            )
        for name in ready:
            ordered[name] = waiting.pop(name)
    return Graph(nodes=tuple(ordered.values()))


def build_wheels_of(sdist: Sdist, build: tuple[Wheel, ...]) -> tuple[Artifact, ...]:
    """The locked files that one sdist is built with.

    Raises:
        LockError: the lock names a build requirement that it does not hold.
    """
    held = {wheel.artifact.file: wheel.artifact for wheel in build}
    missing = sorted(set(sdist.build) - set(held))
    if missing:
        raise LockError(
            f"{sdist.name} is built with {', '.join(missing)}, which the lock does not hold",
            hint="run `xpubuild lock` to make the lock anew",
        )
    return (sdist.artifact, *(held[file] for file in sdist.build))
