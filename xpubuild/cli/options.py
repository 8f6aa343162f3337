"""The arguments and options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Release = Annotated[str, typer.Argument(help="Name of a release, such as 25.03.")]
EditionOption = Annotated[
    str | None, typer.Option("--edition", help="Edition of the release; the family's default when not given.")
]
Only = Annotated[
    list[str] | None, typer.Option("--only", help="Only this component and what it stands on; repeatable.")
]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
BuilderOption = Annotated[str | None, typer.Option("--builder", help="A buildx builder to use, by its name.")]
