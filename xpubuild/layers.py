"""In which order do roots lie in the image?

Big and stable low, small and restless high: what changes makes every node unpack again all that lies above it. The
order of disjoint layers is free. Sizes are compared by powers of two, so that a release that weighs a little more or
less keeps its order, and one more distribution does not reshuffle the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from xpubuild.graph import Root, SystemRoot, Verify

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xpubuild.graph import AnyRoot

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
