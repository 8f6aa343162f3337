"""`xpubuild build`: build an image, test it in containers, say its digest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from xpubuild.cli.options import BuilderOption, EditionOption, Json, Only, Release

if TYPE_CHECKING:
    from xpubuild.ports.results import Report
    from xpubuild.workflows.build import Built


def build(
    release: Release,
    edition: EditionOption = None,
    only: Only = None,
    builder: BuilderOption = None,
    *,
    as_json: Json = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Run every step, whatever the engine holds.")] = False,
    test: Annotated[bool, typer.Option(help="Run the smoke tests at the end.")] = True,
    local_lock: Annotated[
        bool,
        typer.Option(
            "--local-lock",
            help="Where Debian packages of the lock are gone: lock them anew on this machine only, and say so. "
            "What is built from a local lock is never published.",
        ),
    ] = False,
) -> None:
    """Build the candidate of a release, push it to the candidate repository, test it, print its digest."""
    from xpubuild import wiring
    from xpubuild.console.report import console_for
    from xpubuild.workflows.build import Order
    from xpubuild.workflows.build import build as build_image
    from xpubuild.workflows.preparing import Choice, prepare

    choice = Choice(release=release, edition=edition, only=tuple(only or ()))
    with console_for(as_json=as_json) as console:
        world = wiring.building(console.emit)
        order = Order(builder=builder, registry=wiring.configuration().candidates, no_cache=no_cache)
        prepared = prepare(wiring.checkout(), choice)
        # What is wrong with the checks is said before anything is built.
        wiring.suite(prepared)
        if local_lock:
            from xpubuild.workflows.local_lock import build_with_local_lock

            prepared, built = build_with_local_lock(world, wiring.locking(), choice, prepared=prepared, order=order)
        else:
            built = build_image(world, prepared, order)
        report = None
        if test:
            from xpubuild.workflows.smoke import Candidate, test_image

            candidate = Candidate(digest=built.digest, reference=built.reference)
            testing = wiring.testing(built.engine, console.emit)
            report = test_image(testing, wiring.suite(prepared), candidate)
    typer.echo(json.dumps(_document(built, report)) if as_json else _text(built, report))
    if report:
        from xpubuild.workflows.smoke import refuse_failed

        refuse_failed(report)


def _text(built: Built, report: Report | None) -> str:
    from xpubuild.console.quantities import size_text

    lines = [built.digest]
    if built.logs is None:
        lines.append("nothing was rebuilt: registry and engine hold this image")
    if built.missed:
        lines.append(f"the plan was wrong about: {', '.join(built.missed)}")
    lines.append(f"size: {size_text(built.image.size)} compressed in {len(built.image.layers)} layers")
    if report:
        counts = [f"{report.count(status)} {status}" for status in ("passed", "failed", "skipped")]
        lines.append(f"smoke tests: {', '.join(counts)}")
    else:
        lines.append("smoke tests: not run")
    lines.append(f"run it: docker --host {built.engine.host} run --rm -it {built.reference}")
    return "\n".join(lines)


def _document(built: Built, report: Report | None) -> dict[str, object]:
    counts = {status: report.count(status) for status in ("passed", "failed", "skipped")} if report else None
    return {
        "event": "built",
        "digest": built.digest,
        "reference": built.reference,
        "size": built.image.size,
        "layers": [{"digest": layer.digest, "size": layer.size} for layer in built.image.layers],
        "rebuilt": [step.node.name for step in built.plan.rebuilt] if built.logs else [],
        "missed": list(built.missed),
        "logs": str(built.logs) if built.logs else None,
        "checks": counts,
    }
