"""`xpubuild engine`: the embedded engine and registries."""

from __future__ import annotations

import json
from dataclasses import asdict

import typer

from xpubuild.cli.options import Json

app = typer.Typer(help="The private BuildKit engine and the embedded registries.", no_args_is_help=True)


@app.command()
def up() -> None:
    """Start the engine and the registries, installing what they need; does nothing when they run."""
    from xpubuild import wiring

    status = wiring.engines().up()
    if status.engine:
        typer.echo(f"engine: {status.engine.host}")
    for registry in status.running_registries:
        typer.echo(f"registry: {registry.address} stands for {registry.target}")


@app.command()
def down() -> None:
    """Stop exactly what `up` started; data is kept."""
    from xpubuild import wiring

    stopped = wiring.engines().down()
    typer.echo(f"stopped: {', '.join(stopped)}" if stopped else "nothing of ours was running")


@app.command()
def status(as_json: Json = False) -> None:  # noqa: FBT002 - a flag of the command line
    """Say what runs, in which versions, where, and how much disk it takes. Exit code 5 when the engine does not run."""
    from xpubuild import wiring
    from xpubuild.console.quantities import size_text

    told = wiring.engines().status()
    if as_json:
        typer.echo(json.dumps(asdict(told)))
    else:
        typer.echo(
            f"engine: {told.engine.host}" if told.engine else "engine: not running; start it with `xpubuild engine up`"
        )
        for name, version in told.engine.versions if told.engine else ():
            typer.echo(f"  {name}: {version}")
        running = {registry.target for registry in told.running_registries}
        for registry in told.registries:
            state = "running" if registry.target in running else "not running"
            typer.echo(f"registry for {registry.target}: {registry.address}, {state}")
        typer.echo(
            f"state: {told.state_directory}, {size_text(told.used_bytes)} used, {size_text(told.free_bytes)} free"
        )
    if told.engine is None:
        raise typer.Exit(5)
