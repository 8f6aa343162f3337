"""Two distributions with one command: whose stays is said by the recipe, never by chance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.integration.test_build import build

if TYPE_CHECKING:
    from tests.tiny import Tiny

pytestmark = pytest.mark.engine

RECIPE = '''"""Two distributions with one command."""

from xpubuild.authoring import CommandCheck, Facts, Recipe, Winner

RECORD = "import importlib.metadata as m; print([f for f in m.files('{loser}') if f.name == 'say'])"
RECIPE = Recipe(
    component="gamma",
    title="gamma",
    facts=Facts(summary="a test"),
    distributions=("gamma", "delta"),
    environment=(("PATH", "/opt/xpu/bin:/usr/bin:/bin"),),
    winners=({winner}),
    checks=(
        CommandCheck(name="says-who", command=("say",), expects=r"^this is {name}$"),
        CommandCheck(name="the-other-does-not-own-it", command=("python", "-c", RECORD), expects=r"^\\[\\]$"),
    ),
)
'''


def with_one_command(tiny: Tiny, winner: str | None) -> None:
    for name in ("gamma", "delta"):
        code = f"def main():\n    print('this is {name}')\n"
        points = f"[console_scripts]\nsay = {name}:main\n"
        tiny.have(name, files={f"{name}/__init__.py": code, f"{name}-1.0.dist-info/entry_points.txt": points})
    stated = f'Winner(target="/opt/xpu/bin/say", distribution="{winner}"),' if winner else ""
    loser = "gamma" if winner == "delta" else "delta"
    (tiny.folder / "recipes/gamma.py").write_text(RECIPE.format(winner=stated, name=winner, loser=loser))
    (tiny.folder / "recipes/delta.py").unlink()
    lock = tiny.lock()
    asked = tuple(sorted(line.replace("delta==1.0", "delta") for line in lock.request.requirements))
    tiny.write(replace(lock, request=replace(lock.request, requirements=asked)))
    release = tiny.folder / "images/tiny/1.0.toml"
    release.write_text(release.read_text().replace('delta = "1.0"\n', ""))


@pytest.mark.parametrize("winner", ["gamma", "delta"])
def test_the_command_is_the_one_that_the_recipe_names(tiny: Tiny, winner: str) -> None:
    with_one_command(tiny, winner)
    assert build(tiny, "--only", "gamma").built["checks"] == {"passed": 2, "failed": 0, "skipped": 0}


def test_without_a_word_the_build_stops_and_names_both(tiny: Tiny) -> None:
    with_one_command(tiny, None)
    ended = build(tiny, "--only", "gamma")
    assert ended.code == 6
    assert "/opt/xpu/bin/say: delta and gamma bring it, with different bytes" in ended.errors
