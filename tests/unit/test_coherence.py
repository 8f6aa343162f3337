"""Recipes that contradict themselves or each other are told, each with the member that is wrong."""

from __future__ import annotations

import pytest

from tests.values import recipe
from xpubuild.errors import InputError, XpubuildError, leaves_of
from xpubuild.model.coherence import incoherences
from xpubuild.model.recipe import File, Generated, Recipe
from xpubuild.model.release import Component, Edition, Release
from xpubuild.model.request import buildable, recipes_of

PIP_CONFIGURATION = Generated(kind="pip-configuration", target="/etc/pip.conf")


def faults(*recipes: Recipe) -> list[str]:
    return [str(fault) for fault in incoherences(recipes)]


def test_recipes_that_agree_have_no_fault() -> None:
    below = recipe("below", "below", generated=(PIP_CONFIGURATION,), environment=(("A", "1"),))
    above = recipe("above", "above[x]", requires=("numpy<2",), needs=(below,), conflicts=("other",))
    assert faults(below, above, recipe("other", files=(File(source="a.sh", target="/opt/a"),))) == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Torch", "component: 'Torch' is no name of a component"),
        ("py.spy", "component: 'py.spy' is no name of a component"),
        ("shared", "component: the name shared is taken by xpubuild itself"),
    ],
)
def test_a_component_bears_a_name_that_stages_can_bear(name: str, fault: str) -> None:
    assert faults(recipe(name)) == [f"recipe {name}: {fault}"]


@pytest.mark.parametrize(
    ("members", "fault"),
    [
        ({"requires": ("numpy<<2",)}, "requires: `numpy<<2` is no requirement (PEP 508)"),
        ({"conflicts": ("othr",)}, "conflicts: there is no component othr"),
        ({"conflicts": ("x",)}, "conflicts: it conflicts with x, which it stands on"),
        ({"environment": (("PATH", "/opt/bin:$PATH"),)}, "environment: PATH refers to another variable"),
        ({"environment": (("A-B", "1"),)}, "environment: 'A-B' is no name of a variable"),
        ({"files": (File(source="../x", target="/x"),)}, "files: ../x lies outside the recipe's folder"),
        ({"files": (File(source="x", target="opt/x"),)}, "files: opt/x is no absolute path in the image"),
    ],
)
def test_what_a_recipe_has_wrong_is_told_with_its_member(members: dict[str, object], fault: str) -> None:
    assert faults(recipe("x", **members), recipe("other")) == [f"recipe x: {fault}"]


def test_a_recipe_knows_no_version() -> None:
    assert faults(recipe("x", "torch==2.5.1")) == ["recipe x: distributions: `torch==2.5.1` holds a version"]


def test_a_distribution_belongs_to_one_recipe_of_an_edition() -> None:
    one, other = recipe("a", "ray"), recipe("b", "Ray[default]")
    assert faults(one, other) == ["recipe b: distributions: a brings the distribution ray already"]
    assert faults(one, recipe("b", "ray", editions=("ppu",))) == []


def test_a_path_is_laid_by_one_recipe() -> None:
    one, other = (
        recipe("a", generated=(PIP_CONFIGURATION,)),
        recipe("b", files=(File(source="x", target="/etc/pip.conf"),)),
    )
    assert faults(one, other) == ["recipe b: files: a lays /etc/pip.conf already"]


def edition(*names: str, base: str = "debian-12", missing: tuple[str, ...] = ()) -> Edition:
    components = tuple(Component(name=name, version="*") for name in names)
    return Edition(name="cuda", base=base, components=components, missing=missing)


RELEASE = Release(family="f", name="25.03", cut_off="2025-04-01", editions=())


def test_all_that_an_edition_names_wrongly_is_told_at_once() -> None:
    torch = recipe("torch")
    known = (
        torch, recipe("vllm", needs=(torch,)), recipe("ppu-sdk", editions=("ppu",)), recipe("untested", checks=()),
    )  # fmt: skip
    with pytest.raises(XpubuildError) as caught:
        recipes_of(RELEASE, edition("vlm", "vllm", "ppu-sdk", "untested"), known)
    assert [(str(leaf), leaf.hint) for leaf in leaves_of(caught.value)] == [
        ("25.03.toml: editions.cuda.components.vlm: no recipe has this component", "did you mean vllm?"),
        (
            "25.03.toml: editions.cuda.components.vllm: vllm stands on torch, which the edition does not name",
            'add torch = "*"',
        ),
        ("25.03.toml: editions.cuda.components.ppu-sdk: its recipe is for ppu only", None),
        (
            "25.03.toml: editions.cuda.components.untested: its recipe has no checks",
            "a component that is not tested is not shipped",
        ),
    ]


def test_a_base_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(InputError, match="debian-13 is no base that can be made"):
        buildable(RELEASE, edition("torch", base="debian-13"))


def test_what_is_missing_is_told_item_by_item() -> None:
    with pytest.raises(InputError) as caught:
        buildable(RELEASE, edition("torch", missing=("the SDK", "the wheels")))
    assert caught.value.details == "missing: the SDK\nmissing: the wheels"
