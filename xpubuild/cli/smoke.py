"""`xpubuild test`: the smoke tests of an image, in containers of it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from xpubuild.cli.options import BuilderOption, EditionOption, Json, Only

if TYPE_CHECKING:
    from xpubuild.ports.results import Report


def test(
    image: Annotated[str, typer.Argument(help="A release, or the digest (sha256:…) of a candidate.")],
    edition: EditionOption = None,
    only: Only = None,
    builder: BuilderOption = None,
    *,
    again: Annotated[bool, typer.Option("--again", help="Run them although they were run on this very image.")] = False,
    as_json: Json = False,
) -> None:
    """Run the smoke tests of a candidate that was built. Exit code 7 when one fails."""
    from xpubuild import wiring
    from xpubuild.console.report import console_for
    from xpubuild.workflows.finding import find_candidate
    from xpubuild.workflows.smoke import refuse_failed, test_image

    with console_for(as_json=as_json) as console:
        world = wiring.building(console.emit)
        found = find_candidate(
            world, wiring.checkout(), image, edition=edition, only=tuple(only or ()), builder=builder,
            registry=wiring.configuration().candidates,
        )  # fmt: skip
        testing = wiring.testing(found.engine, console.emit)
        report = test_image(testing, wiring.suite(found.prepared), found.candidate, again=again)
    typer.echo(json.dumps(asdict(report)) if as_json else _text(report))
    refuse_failed(report)


test.__test__ = False  # type: ignore[attr-defined]


def _text(report: Report) -> str:
    lines = [f"{result.status:<7}  {result.component:<14}  {result.name}" for result in report.results]
    counts = [f"{report.count(status)} {status}" for status in ("passed", "failed", "skipped")]
    return "\n".join([*lines, f"{report.digest}: {', '.join(counts)}"])
