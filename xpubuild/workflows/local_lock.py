"""Build although Debian packages of the lock are gone from the mirrors: lock them anew, on this machine only."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from xpubuild.errors import GoneError, XpubuildError, leaves_of
from xpubuild.ports.events import Noted
from xpubuild.workflows.build import Order, build
from xpubuild.workflows.lock import new_base, refresh_system
from xpubuild.workflows.preparing import prepare

if TYPE_CHECKING:
    from xpubuild.model.artifact import Artifact, Deb
    from xpubuild.workflows.build import Building, Built
    from xpubuild.workflows.lock import Locking
    from xpubuild.workflows.preparing import Choice, Prepared


def build_with_local_lock(
    world: Building, locking: Locking, choice: Choice, *, prepared: Prepared, order: Order
) -> tuple[Prepared, Built]:
    """Build; where Debian packages are gone, once more from a local lock with those that are served today.

    Raises:
        GoneError: something else than Debian packages is gone.
    """
    try:
        return prepared, build(world, prepared, order)
    except XpubuildError as fault:
        if not all(isinstance(leaf, GoneError) for leaf in leaves_of(fault)):
            raise
        lock, builder = prepared.composition.lock, prepared.composition.builder
        gone = _gone(locking, (*lock.base.debs, *lock.system, *builder.base.debs))
        if not gone:
            raise
    world.emit(Noted(text=_announcement(gone)))
    locking.write_local(refresh_system(locking, lock.release, lock.edition))
    if _gone(locking, builder.base.debs):
        locking.write_local(replace(builder, base=new_base(locking)))
    prepared = prepare(locking.checkout, choice)
    return prepared, build(world, prepared, order)


def _gone(locking: Locking, debs: tuple[Deb, ...]) -> tuple[Artifact, ...]:
    return locking.index.missing(tuple(dict.fromkeys(deb.artifact for deb in debs)))


def _announcement(gone: tuple[Artifact, ...]) -> str:
    names = ", ".join(artifact.file for artifact in gone[:5])
    more = f" and {len(gone) - 5} more" if len(gone) > 5 else ""  # noqa: PLR2004 - a line's worth of names
    return (
        f"WARNING: Debian no longer serves {names}{more}. Locking the Debian packages anew ON THIS MACHINE ONLY: the image "
        "will not be the one that the committed lock describes, and is never to be published. Run `xpubuild lock "
        "--refresh-system` and commit the lock to make this the release."
    )
