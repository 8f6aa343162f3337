"""`xpubuild lock`: resolve a release into its lock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from xpubuild.cli.options import EditionOption

if TYPE_CHECKING:
    from xpubuild.workflows.lock import Locking


def lock(
    release: Annotated[str, typer.Argument(help="Name of a release, such as 25.03.")],
    edition: EditionOption = None,
    upgrade: Annotated[
        list[str] | None,
        typer.Option("--upgrade", help="Move this distribution to its newest allowed version; repeatable."),
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing: say what changed since, and which files are gone.")
    ] = False,
    refresh_system: Annotated[
        bool, typer.Option("--refresh-system", help="Resolve the Debian packages anew, and leave Python's alone.")
    ] = False,
    refresh_builder: Annotated[
        bool, typer.Option("--refresh-builder", help="Also make the lock of the builder image anew.")
    ] = False,
) -> None:
    """Resolve a release into its lock: every input byte, pinned. Nothing else resolves."""
    from xpubuild import wiring

    world = wiring.locking()
    name = edition or world.checkout.family().default_edition
    if check:
        _check(world, release, name)
        return
    from xpubuild.workflows import lock as locks

    if refresh_builder:
        _lock_builder(world)
    if refresh_system:
        made = locks.refresh_system(world, release, name)
    else:
        made = locks.lock_release(world, release, name, upgrade=tuple(upgrade or ()))
    path = wiring.checkout().write_lock(made)
    debs = len(made.base.debs) + len(made.system)
    typer.echo(f"{path.name}: {len(made.wheels)} wheels, {len(made.sdists)} sdists, {debs} Debian packages")


def _check(world: Locking, release: str, edition: str) -> None:
    from xpubuild.workflows.lock import refuse_gone, refuse_stale, requested

    asked = requested(world.checkout, release, edition)
    present = world.checkout.lock(release, edition)
    refuse_stale(present, asked.request, world.checkout.local_files(asked.recipes))
    refuse_gone(present, world.index)
    typer.echo(f"the lock of {release} ({edition}) fits the release and its recipes, and every file is served")


def _lock_builder(world: Locking) -> None:
    from xpubuild import wiring
    from xpubuild.workflows.lock import lock_builder

    path = wiring.checkout().write_builder_lock(lock_builder(world, cut_off=wiring.today()))
    typer.echo(f"{path.name}: made anew")
