"""In which order do roots lie in the image?

Big and stable low, small and restless high: what changes makes every node unpack again all that lies above it. The
order of disjoint layers is free. Sizes are compared by powers of two, so that a release that weighs a little more or
less keeps its order, and one more distribution does not reshuffle the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from xpubuild.errors import InputError
from xpubuild.graph import Image, Root, SystemRoot, Verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from xpubuild.graph import AnyRoot, Graph
    from xpubuild.model.release import LayerLimits

_BASE = 1
"""The base is one layer."""
_LAID = 1 << 20
"""Roots below 1 MB hold files laid by recipes, which follow every pin: above the system packages."""


def ordered(roots: Iterable[AnyRoot]) -> tuple[AnyRoot, ...]:
    """The roots, lowest first."""
    return tuple(sorted(roots, key=_rank))


def _rank(root: AnyRoot) -> tuple[int, int, str]:
    match root:
        case Root():
            return (0 if root.size >= _LAID else 2, -root.size.bit_length(), root.name)
        case SystemRoot():
            return (1, 0, root.name)
        case Verify():
            return (3, 0, root.name)
        case _:
            assert_never(root)


def excesses(graph: Graph, limits: LayerLimits) -> Iterator[InputError]:
    """Where an image has more layers, or a heavier one, than the nodes that pull it take."""
    for node in graph.nodes:
        match node:
            case Image() if len(node.roots) + _BASE > limits.layers:
                yield InputError(
                    f"the image would have {len(node.roots) + _BASE} layers, {limits.layers} are allowed",
                    where="family.toml: limits.layers",
                    hint="let one recipe bring what two bring now",
                )
            case Root() | SystemRoot() if node.size > limits.layer_bytes:
                yield InputError(
                    f"{node.name} is made of {node.size / 1e9:.1f} GB, {limits.layer_bytes / 1e9:.1f} GB are allowed",
                    where="family.toml: limits.layer-bytes",
                    hint="split the recipe, so that nodes pull two layers at a time",
                )
            case _:
                pass
