"""Which commands there are; each lives in a module of its own."""

from __future__ import annotations

import typer

from xpubuild.cli import build, engine, lock, plan, smoke

app = typer.Typer(
    name="xpubuild",
    help="Container image build pipeline as code for accelerator AI images.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(engine.app, name="engine")
app.command("build")(build.build)
app.command("test")(smoke.test)
app.command("lock")(lock.lock)
app.command("plan")(plan.plan)
app.command("graph")(plan.graph)
app.command("render")(plan.render)
