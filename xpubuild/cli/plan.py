"""`xpubuild plan`, `graph`, `render`: what would be built, before anything is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from xpubuild.cli.options import BuilderOption, EditionOption, Json, Only, Release

if TYPE_CHECKING:
    from xpubuild.plan import Plan, Step


def plan(
    release: Release,
    edition: EditionOption = None,
    only: Only = None,
    builder: BuilderOption = None,
    *,
    as_json: Json = False,
) -> None:
    """Show each node with its key, whether it is reused or rebuilt and why, and the bytes to fetch."""
    from xpubuild import wiring
    from xpubuild.workflows.planning import planned
    from xpubuild.workflows.preparing import Choice

    choice = Choice(release=release, edition=edition, only=tuple(only or ()))
    made = planned(wiring.checkout(), wiring.engines(), wiring.buildx(), wiring.records(), choice, builder=builder)
    typer.echo(json.dumps(_document(made)) if as_json else _table(made))


def graph(
    release: Release,
    edition: EditionOption = None,
    only: Only = None,
    form: Annotated[Literal["dot", "mermaid"], typer.Option("--format", help="dot or mermaid.")] = "dot",
) -> None:
    """Print the graph of nodes."""
    from xpubuild import wiring
    from xpubuild.drawing import dot, mermaid
    from xpubuild.workflows.preparing import Choice, prepare

    prepared = prepare(wiring.checkout(), Choice(release=release, edition=edition, only=tuple(only or ())))
    typer.echo(dot(prepared.graph) if form == "dot" else mermaid(prepared.graph), nl=False)


def render(
    release: Release,
    output: Annotated[Path, typer.Option("--output", "-o", help="Directory to write; made when it is not there.")],
    edition: EditionOption = None,
    only: Only = None,
) -> None:
    """Write the Dockerfile and bake file that `docker buildx bake` builds by hand to the same digest."""
    from xpubuild import wiring
    from xpubuild.adapters.workspace import lay_files
    from xpubuild.workflows.build import rendered_by_hand
    from xpubuild.workflows.preparing import Choice, prepare

    prepared = prepare(wiring.checkout(), Choice(release=release, edition=edition, only=tuple(only or ())))
    world = wiring.building(lambda event: typer.echo(getattr(event, "text", ""), err=True))
    files = rendered_by_hand(world, prepared, registry=wiring.configuration().candidates)
    lay_files(output, files)
    typer.echo(f"{output}: {len(files.files)} files; build them with `docker buildx bake` in this directory")


def _document(made: Plan) -> dict[str, object]:
    return {"nodes": [_node(step) for step in made.steps], "fetch": made.fetch}


def _node(step: Step) -> dict[str, object]:
    from xpubuild.plan import Rebuild

    action = step.action
    changed = list(action.changed) if isinstance(action, Rebuild) else []
    word = "rebuild" if isinstance(action, Rebuild) else "reuse"
    return {"node": step.node.name, "key": step.key, "action": word, "changed": changed, "fetch": step.fetch}


def _table(made: Plan) -> str:
    from xpubuild.console.quantities import size_text
    from xpubuild.plan import Rebuild

    width = max(len(step.node.name) for step in made.steps)
    lines = []
    for step in made.steps:
        match step.action:
            case Rebuild(changed=changed):
                why = f"changed: {', '.join(changed)}" if changed else "not built before on this engine"
                fetch = f"  fetch {size_text(step.fetch)}" if step.fetch else ""
                lines.append(f"{step.node.name:<{width}}  {step.key[:12]}  rebuild  {why}{fetch}")
            case _:
                lines.append(f"{step.node.name:<{width}}  {step.key[:12]}  reuse")
    lines.append(f"{len(made.rebuilt)} of {len(made.steps)} nodes to rebuild, {size_text(made.fetch)} to fetch")
    return "\n".join(lines)
