"""Every locked distribution belongs to exactly one component."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.values import lock, recipe, sdist, wheel
from xpubuild.errors import Faults, InputError
from xpubuild.ownership import SHARED, owned_by, trespasses

if TYPE_CHECKING:
    from xpubuild.model.lock import Lock
    from xpubuild.model.recipe import Recipe


def owners(recipes: tuple[Recipe, ...], locked: Lock) -> dict[str, str]:
    return {item.name: group.owner for group in owned_by(recipes, locked) for item in (*group.wheels, *group.sdists)}


def test_what_one_recipe_alone_needs_is_its_own_and_what_two_need_is_shared() -> None:
    torch, ray = recipe("torch", "torch"), recipe("ray", "ray")
    locked = lock(
        wheel("torch", "2.5.1", "sympy", "filelock"),
        wheel("sympy", "1.13.1", "mpmath<1.4"),
        wheel("mpmath"),
        wheel("ray", "2.43.0", "filelock"),
        wheel("filelock"),
    )
    assert owners((torch, ray), locked) == {
        "torch": "torch",
        "sympy": "torch",
        "mpmath": "torch",
        "ray": "ray",
        "filelock": SHARED,
    }


def test_a_search_stops_at_what_another_recipe_owns() -> None:
    torch = recipe("torch", "torch")
    vllm = recipe("vllm", "vllm", needs=(torch,))
    locked = lock(wheel("torch", "2.5.1", "sympy"), wheel("sympy"), wheel("vllm", "0.7.3", "torch==2.5.1"))
    assert owners((torch, vllm), locked)["sympy"] == "torch"


def test_a_name_beats_a_pattern() -> None:
    cuda, nccl = recipe("cuda", claims=("nvidia-*-cu12",)), recipe("nccl", "nvidia-nccl-cu12")
    locked = lock(wheel("nvidia-cublas-cu12"), wheel("nvidia-nccl-cu12"))
    assert owners((cuda, nccl), locked) == {"nvidia-cublas-cu12": "cuda", "nvidia-nccl-cu12": "nccl"}


def test_extras_and_markers_decide_what_is_needed() -> None:
    ray = recipe("ray", "ray[adag]")
    other = recipe("other", "other")
    locked = lock(
        wheel("ray", "2.43.0", 'cupy-cuda12x; extra == "adag"', 'tornado; sys_platform == "win32"'),
        wheel("other", "1.0", "tornado", 'cupy-cuda12x; extra == "gpu"'),
        wheel("cupy-cuda12x"),
        wheel("tornado"),
    )
    assert owners((ray, other), locked) == {"ray": "ray", "cupy-cuda12x": "ray", "other": "other", "tornado": "other"}


def test_undeclared_requirements_of_a_recipe_count_as_its_needs() -> None:
    torch = recipe("torch", "torch", requires=("setuptools",))
    flash = recipe("flashinfer", "flashinfer-python", requires=("setuptools",))
    locked = lock(wheel("torch"), wheel("setuptools"), sdists=(sdist("flashinfer-python"),))
    assert owners((torch, flash), locked)["setuptools"] == SHARED


def test_what_nobody_needs_is_shared_rather_than_lost() -> None:
    assert owners((recipe("torch", "torch"),), lock(wheel("torch"), wheel("stray"))) == {
        "torch": "torch",
        "stray": SHARED,
    }


def test_two_recipes_that_bring_one_distribution_are_refused_all_at_once() -> None:
    first = recipe("a", "torch", "numpy")
    second = recipe("b", "torch", "numpy")
    with pytest.raises(Faults) as caught:
        owned_by((first, second), lock(wheel("torch"), wheel("numpy")))
    assert [str(fault) for fault in caught.value.faults] == [
        "recipe b: distributions: the distribution torch belongs to two recipes, a and b",
        "recipe b: distributions: the distribution numpy belongs to two recipes, a and b",
    ]


def test_a_recipe_must_build_on_the_recipe_whose_distribution_it_needs() -> None:
    torch = recipe("torch", "torch")
    locked = lock(wheel("torch"), wheel("vllm", "0.7.3", "torch==2.5.1"))
    assert trespasses((torch, recipe("vllm", "vllm", needs=(torch,))), locked) == ()
    (fault,) = trespasses((torch, recipe("vllm", "vllm")), locked)
    assert isinstance(fault, InputError)
    assert str(fault) == "recipe vllm: needs: vllm needs torch, which belongs to torch"
