"""A folder of families, releases and recipes becomes values, or says what is wrong and where."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from xpubuild.adapters.checkout import DirectoryCheckout, find_checkout
from xpubuild.errors import InputError, LockError, XpubuildError, leaves_of

if TYPE_CHECKING:
    from pathlib import Path

FAMILY = """
name = "f"
title = "F"
default-edition = "cuda"
time-zone = "Asia/Shanghai"
runner = "r"
[tags]
release = "{release}"
post = "{release}.post{number}"
nightly = "{release}-nightly-{date}"
[limits]
layers = 60
layer-bytes = 2_000_000_000
[editions.cuda]
repository = "f-cuda"
[targets.public]
host = "registry.example"
namespace = "n"
"""
RELEASE = """
release = "{name}"
cut-off = "2025-04-01"
[editions.cuda]
base = "debian-12"
[editions.cuda.components]
torch = {torch}
"""
RECIPE = """
from xpubuild.authoring import Facts, Recipe, ScriptCheck
{imports}
RECIPE = Recipe(
    component="{component}", title="T", facts=Facts(summary="s"), checks=(ScriptCheck(name="c", source="checks/c.py"),),
    {members}
)
"""


class Folder:
    """A checkout in the making."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("images/f", "recipes/checks", "buildkit/stages"):
            (root / folder).mkdir(parents=True)
        (root / "recipes/__init__.py").touch()
        (root / "images/f/family.toml").write_text(FAMILY)
        self.checkout = DirectoryCheckout(root, local=root / "local")

    def release(self, name: str, torch: str = '"2.5.1"') -> None:
        (self.root / f"images/f/{name}.toml").write_text(RELEASE.format(name=name, torch=torch))

    def recipe(self, module: str, component: str, members: str = "", *, imports: str = "") -> None:
        text = RECIPE.format(component=component, members=members, imports=imports)
        (self.root / f"recipes/{module}.py").write_text(text)

    def recipe_faults(self) -> list[str]:
        with pytest.raises(XpubuildError) as caught:
            self.checkout.recipes()
        return [str(leaf) for leaf in leaves_of(caught.value)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setattr("sys.path", list(sys.path))
    return Folder(tmp_path)


def test_a_checkout_is_found_from_a_folder_below(folder: Folder) -> None:
    assert find_checkout(folder.root / "images" / "f") == folder.root


def test_where_there_is_no_checkout_the_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        find_checkout(tmp_path)
    assert caught.value.where == str(tmp_path)


@pytest.mark.parametrize(
    ("asked", "hint"),
    [("25.3", "did you mean 25.03?"), ("24.1", "did you mean 24.11?"), ("nonsense", "there are 24.11, 25.03")],
)
def test_the_nearest_releases_are_named(folder: Folder, asked: str, hint: str) -> None:
    folder.release("24.11")
    folder.release("25.03")
    with pytest.raises(InputError) as caught:
        folder.checkout.release(asked)
    assert caught.value.hint == hint


def test_release_names_are_texts_and_not_numbers(folder: Folder) -> None:
    for name in ("25.10", "25.9", "25.1"):
        folder.release(name)
    assert folder.checkout.releases() == ("25.1", "25.10", "25.9")
    assert folder.checkout.release("25.10").name == "25.10"


def test_an_edition_that_the_family_lacks_is_refused(folder: Folder) -> None:
    folder.release("25.03")
    path = folder.root / "images/f/25.03.toml"
    path.write_text(path.read_text().replace("editions.cuda", "editions.cudda"))
    with pytest.raises(InputError) as caught:
        folder.checkout.release("25.03")
    assert str(caught.value) == "images/f/25.03.toml: editions.cudda: the family has no such edition"
    assert caught.value.hint == "did you mean cuda?"


@pytest.mark.parametrize(("release", "version"), [("24.11", "2.5.0"), ("24.10", "2.5.1")])
def test_what_is_carried_over_has_to_be_there(folder: Folder, release: str, version: str) -> None:
    folder.release("24.11")
    folder.release("25.03", f'{{ version = "{version}", carried-from = "{release}" }}')
    with pytest.raises(InputError, match=f"{release} has no torch {version} to carry over") as caught:
        folder.checkout.release("25.03")
    assert caught.value.where == "images/f/25.03.toml: editions.cuda.components.torch.carried-from"


def test_what_is_carried_over_is_read(folder: Folder) -> None:
    folder.release("24.11")
    folder.release("25.03", '{ version = "2.5.1", carried-from = "24.11" }')
    assert folder.checkout.release("25.03").editions[0].components[0].carried_from == "24.11"


def test_a_time_zone_that_is_none_is_refused(folder: Folder) -> None:
    (folder.root / "images/f/family.toml").write_text(FAMILY.replace("Asia/Shanghai", "Asia/Nowhere"))
    with pytest.raises(InputError) as caught:
        folder.checkout.family()
    assert caught.value.where == "images/f/family.toml: time-zone"


def test_recipes_are_discovered_and_sorted_by_component(folder: Folder) -> None:
    folder.recipe("z", "a")
    folder.recipe("a", "z", "needs=(A,)", imports="from recipes.z import RECIPE as A")
    a, z = folder.checkout.recipes()
    assert (a.component, z.component, z.needs) == ("a", "z", (a,))


def test_two_checkouts_in_one_process_keep_their_own_recipes(folder: Folder, tmp_path: Path) -> None:
    folder.recipe("x", "first")
    other = Folder(tmp_path / "other")
    other.recipe("x", "second")
    assert [recipe.component for recipe in folder.checkout.recipes()] == ["first"]
    assert [recipe.component for recipe in other.checkout.recipes()] == ["second"]
    assert [recipe.component for recipe in folder.checkout.recipes()] == ["first"]


def test_a_module_that_breaks_is_told_once_with_its_line(folder: Folder) -> None:
    folder.recipe("below", "below", imports="1 / 0")
    folder.recipe("above", "above", "needs=(B,)", imports="from recipes.below import RECIPE as B")
    assert folder.recipe_faults() == [
        "recipes/below.py:3: the recipe cannot be imported: ZeroDivisionError: division by zero"
    ]


def test_a_module_with_wrong_syntax_is_told_with_its_line(folder: Folder) -> None:
    (folder.root / "recipes/bad.py").write_text("x = 1\ny = = 2\n")
    (fault,) = folder.recipe_faults()
    assert fault.startswith("recipes/bad.py:2: the recipe cannot be imported: SyntaxError")


def test_a_module_without_a_recipe_is_refused(folder: Folder) -> None:
    (folder.root / "recipes/empty.py").write_text("")
    assert folder.recipe_faults() == ["recipes/empty.py: the module defines no RECIPE"]


def test_one_component_has_one_recipe(folder: Folder) -> None:
    folder.recipe("one", "torch")
    folder.recipe("two", "torch")
    assert folder.recipe_faults() == ["recipes/two.py: recipes/one.py already has the component torch"]


def test_a_script_that_is_not_there_is_named(folder: Folder) -> None:
    folder.recipe("x", "x")
    with pytest.raises(InputError) as caught:
        folder.checkout.scripts(folder.checkout.recipes())
    assert str(caught.value) == "recipes/checks/c.py: the file is not there"


def test_a_missing_lock_names_the_command_that_makes_it(folder: Folder) -> None:
    folder.release("25.03")
    with pytest.raises(LockError) as caught:
        folder.checkout.lock("25.03", "cuda")
    assert (caught.value.where, caught.value.hint) == (
        "images/f/25.03.cuda.lock",
        "run `xpubuild lock 25.03 --edition cuda`",
    )
