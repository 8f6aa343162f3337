"""What can be used is documented, and the repository names nobody's machine."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
import typer

from tests.conftest import ROOT
from xpubuild import errors
from xpubuild.cli.app import app

if TYPE_CHECKING:
    import click

PAGES = "\n".join(
    path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
)


def commands() -> dict[str, click.Command]:
    group = typer.main.get_command(app)
    found: dict[str, click.Command] = {}
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        found |= {f"{name} {word}": sub for word, sub in inner.items()} if inner else {name: command}
    return found


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_and_option_is_documented(name: str) -> None:
    words = name.split()
    assert re.search(rf"`?(xpubuild|bootstrap) {words[0]}\b", PAGES)
    assert words[-1] in PAGES
    for parameter in commands()[name].params:
        for option in parameter.opts:
            if option.startswith("--") and option != "--help":
                assert option in PAGES or option.replace("--", "--no-") in PAGES, option


def test_every_exit_code_is_documented() -> None:
    codes = {
        kind.exit_code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.XpubuildError)
    }
    for code in codes - {1}:
        assert f"| {code} |" in PAGES


@pytest.mark.parametrize("key", ["index.url", "index.files", "mirrors.debian", "mirrors.store", "registry.candidates"])
def test_every_key_of_the_configuration_is_documented(key: str) -> None:
    assert f"`{key}`" in PAGES


def test_no_package_registry_is_named() -> None:
    names = ["pypi" + ".org", "pythonhosted" + ".org", "deb.debian" + ".org", "npmjs" + ".org"]
    done = subprocess.run(
        ["git", "grep", "-n", "-I", "-F", *(word for name in names for word in ("-e", name))],  # noqa: S607
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == ""
