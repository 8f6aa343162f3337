"""What does a release ask the resolvers for, and which recipes is it made of?"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from xpubuild.errors import InputError, XpubuildError, raise_all
from xpubuild.model.lock import Request
from xpubuild.model.release import ANY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xpubuild.model.recipe import Recipe
    from xpubuild.model.release import Component, Edition, Release

BASES = ("debian-12",)
"""The bases that can be made."""

BASE_PACKAGES = ("ca-certificates", "python3", "tzdata")
"""What every base holds beside a minimal Debian."""


def edition_of(release: Release, name: str) -> Edition:
    """An edition of a release that can be built.

    Raises:
        InputError: the release has no such edition, or the edition lacks something; says precisely what.
    """
    for edition in release.editions:
        if edition.name == name:
            return edition
    names = [edition.name for edition in release.editions]
    raise InputError(
        f"{release.name} has no edition {name}", where="--edition", hint=f"it has {', '.join(sorted(names))}"
    )


def buildable(release: Release, edition: Edition) -> Edition:
    """The edition, when nothing is missing that it is built from.

    Raises:
        InputError: says what is missing, item by item, or that the base is none that can be made.
    """
    if edition.missing:
        raise InputError(
            f"the {edition.name} edition of {release.name} cannot be built here: {len(edition.missing)} inputs are missing",
            where=f"{release.name}.toml: editions.{edition.name}.missing",
            hint="build the cuda edition, which is made from public packages",
            details="\n".join(f"missing: {item}" for item in edition.missing),
        )
    if edition.base not in BASES:
        raise InputError(
            f"{edition.base} is no base that can be made",
            where=f"{release.name}.toml: editions.{edition.name}.base",
            hint=f"known: {', '.join(BASES)}",
        )
    return edition


def recipes_of(release: Release, edition: Edition, recipes: Iterable[Recipe]) -> tuple[Recipe, ...]:
    """The recipes of an edition's components, sorted by component.

    Raises:
        InputError: a component has no recipe (with the nearest), a recipe is for other editions, has no checks, or
            stands on a recipe that the release does not name; all at once.
    """
    known = {recipe.component: recipe for recipe in recipes}
    where = f"{release.name}.toml: editions.{edition.name}.components"
    named = {component.name for component in edition.components}
    faults: list[XpubuildError] = []
    found = []
    for component in edition.components:
        recipe = known.get(component.name)
        if recipe is None:
            near = difflib.get_close_matches(component.name, known, 1)
            hint = f"did you mean {near[0]}?" if near else "write recipes/…/<name>.py"
            faults.append(InputError("no recipe has this component", where=f"{where}.{component.name}", hint=hint))
            continue
        found.append(recipe)
        faults += _faults_of(recipe, edition, named=named, where=f"{where}.{component.name}")
    raise_all(faults)
    return tuple(sorted(found, key=lambda recipe: recipe.component))


def _faults_of(recipe: Recipe, edition: Edition, *, named: set[str], where: str) -> list[XpubuildError]:
    faults: list[XpubuildError] = []
    if edition.name not in recipe.editions:
        faults.append(InputError(f"its recipe is for {', '.join(recipe.editions)} only", where=where))
    if not recipe.checks:
        faults.append(
            InputError("its recipe has no checks", where=where, hint="a component that is not tested is not shipped")
        )
    faults += [
        InputError(
            f"{recipe.component} stands on {below.component}, which the edition does not name",
            where=where,
            hint=f'add {below.component} = "*"',
        )
        for below in recipe.needs
        if below.component not in named
    ]
    return faults


def request_for(release: Release, edition: Edition, recipes: tuple[Recipe, ...]) -> Request:
    """What to resolve for an edition made of these recipes. Pure; sorted."""
    versions = {component.name: component for component in edition.components}
    requirements = {
        requirement for recipe in recipes for requirement in _requirements_of(recipe, versions[recipe.component])
    }
    return Request(
        cut_off=release.cut_off,
        requirements=tuple(sorted(requirements)),
        overrides=tuple(sorted(override.requirement for override in edition.overrides)),
        system=tuple(sorted({package for recipe in recipes for package in recipe.system})),
        base=edition.base,
    )


def _requirements_of(recipe: Recipe, component: Component) -> tuple[str, ...]:
    """The recipe's distributions, with the component's version on the first one, and what upstream forgot to declare."""
    if not recipe.distributions:
        return recipe.requires
    first, *others = recipe.distributions
    pinned = first if component.version == ANY else f"{first}=={component.version}"
    return (pinned, *others, *recipe.requires)


def differences(before: Request, after: Request) -> tuple[str, ...]:
    """What changed between two requests, a line each: `requirements: + ray==2.44.0`."""
    lines = []
    for name, old, new in (
        ("requirements", before.requirements, after.requirements),
        ("overrides", before.overrides, after.overrides),
        ("system", before.system, after.system),
        ("cut-off", (before.cut_off,), (after.cut_off,)),
        ("base", (before.base,), (after.base,)),
    ):
        lines += [f"{name}: - {item}" for item in old if item not in new]
        lines += [f"{name}: + {item}" for item in new if item not in old]
    return tuple(lines)


def distribution_name(requirement: str) -> str:
    """The normalised name (PEP 503) of a requirement."""
    return canonicalize_name(re.split(r"[\[\](=<>!~;@\s]", requirement.strip(), maxsplit=1)[0])
