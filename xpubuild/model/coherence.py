"""Do the recipes contradict themselves or each other?"""

from __future__ import annotations

import difflib
import re
from itertools import combinations
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from packaging.requirements import InvalidRequirement, Requirement

from xpubuild.errors import InputError
from xpubuild.model.request import distribution_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from xpubuild.model.recipe import Recipe

_COMPONENT = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED = ("prefix", "shared")
"""Roots that no recipe brings bear these names."""


def incoherences(recipes: Iterable[Recipe]) -> Iterator[InputError]:
    """Each fault of the recipes, with the recipe and the member that it is in."""
    recipes = tuple(recipes)
    known = {recipe.component for recipe in recipes}
    for recipe in recipes:
        yield from _name_faults(recipe)
        yield from _requirement_faults(recipe)
        yield from _file_faults(recipe)
        yield from _environment_faults(recipe)
        yield from _conflict_faults(recipe, known)
    for one, other in combinations(recipes, 2):
        if set(one.editions) & set(other.editions):
            yield from _clashes(one, other)


def _fault(recipe: Recipe, member: str, brief: str, *, hint: str | None = None) -> InputError:
    return InputError(brief, where=f"recipe {recipe.component}: {member}", hint=hint)


def _name_faults(recipe: Recipe) -> Iterator[InputError]:
    if not _COMPONENT.fullmatch(recipe.component):
        hint = "lower case letters and digits, joined by -: stages and targets bear this name"
        yield _fault(recipe, "component", f"{recipe.component!r} is no name of a component", hint=hint)
    if recipe.component in _RESERVED:
        yield _fault(recipe, "component", f"the name {recipe.component} is taken by xpubuild itself")


def _requirement_faults(recipe: Recipe) -> Iterator[InputError]:
    for member, texts in (("distributions", recipe.distributions), ("requires", recipe.requires)):
        for text in texts:
            try:
                parsed = Requirement(text)
            except InvalidRequirement:
                yield _fault(recipe, member, f"`{text}` is no requirement (PEP 508)")
                continue
            if member == "distributions" and parsed.specifier:
                hint = "a recipe knows no version: the release file says it"
                yield _fault(recipe, member, f"`{text}` holds a version", hint=hint)


def _file_faults(recipe: Recipe) -> Iterator[InputError]:
    for file in recipe.files:
        source = PurePosixPath(file.source)
        if source.is_absolute() or ".." in source.parts:
            yield _fault(recipe, "files", f"{file.source} lies outside the recipe's folder")
    for target in _targets(recipe):
        path = PurePosixPath(target)
        if not path.is_absolute() or ".." in path.parts:
            yield _fault(recipe, "files", f"{target} is no absolute path in the image")


def _environment_faults(recipe: Recipe) -> Iterator[InputError]:
    for name, value in recipe.environment:
        if not _VARIABLE.fullmatch(name):
            yield _fault(recipe, "environment", f"{name!r} is no name of a variable")
        if "$" in value:
            yield _fault(recipe, "environment", f"{name} refers to another variable", hint="write its whole value")


def _conflict_faults(recipe: Recipe, known: set[str]) -> Iterator[InputError]:
    below = _stands_on(recipe)
    for other in recipe.conflicts:
        if other not in known:
            near = difflib.get_close_matches(other, known, 1)
            yield _fault(
                recipe, "conflicts", f"there is no component {other}", hint=f"did you mean {near[0]}?" if near else None
            )
        elif other in below:
            yield _fault(recipe, "conflicts", f"it conflicts with {other}, which it stands on")


def _stands_on(recipe: Recipe) -> set[str]:
    return {recipe.component}.union(*(_stands_on(below) for below in recipe.needs))


def _clashes(one: Recipe, other: Recipe) -> Iterator[InputError]:
    for name in sorted(_names(one) & _names(other)):
        hint = "name it in one of them; the other reaches it through `needs`"
        yield _fault(other, "distributions", f"{one.component} brings the distribution {name} already", hint=hint)
    for target in sorted(set(_targets(one)) & set(_targets(other))):
        yield _fault(other, "files", f"{one.component} lays {target} already")


def _names(recipe: Recipe) -> set[str]:
    return {distribution_name(text) for text in recipe.distributions}


def _targets(recipe: Recipe) -> tuple[str, ...]:
    return (*(file.target for file in recipe.files), *(item.target for item in recipe.generated))
