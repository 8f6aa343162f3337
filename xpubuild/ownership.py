"""To which recipe does each locked distribution belong?

A distribution that a recipe names, or claims by a pattern, belongs to it. Any other belongs to the recipe that alone
needs it, following Requires-Dist and stopping at what others own; what several need belongs to none of them and goes
into the layer named `SHARED`. Nothing is listed by hand that the lock knows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

from packaging.markers import Marker
from packaging.utils import canonicalize_name

from xpubuild.errors import InputError, raise_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from xpubuild.model.artifact import Sdist, Wheel
    from xpubuild.model.lock import Lock
    from xpubuild.model.recipe import Recipe

SHARED = "shared"

_REQUIREMENT = re.compile(
    r"^\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[(?P<extras>[^]]*)])?[^;]*(?:;\s*(?P<marker>.*))?$"
)
_ENVIRONMENT = {
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "x86_64",
    "platform_python_implementation": "CPython",
    "platform_release": "",
    "platform_system": "Linux",
    "platform_version": "",
    "sys_platform": "linux",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """What one layer holds: the distributions of the component `owner`, sorted by name."""

    owner: str
    wheels: tuple[Wheel, ...]
    sdists: tuple[Sdist, ...]


@dataclass(frozen=True, slots=True)
class _Need:
    """A distribution with the extras that are asked of it."""

    name: str
    extras: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Holdings:
    """A lock's distributions by name, and the component that names or claims each, where one does."""

    locked: Mapping[str, Wheel | Sdist]
    explicit: Mapping[str, str]
    python: str

    def owner_else(self, name: str, component: str) -> str:
        return self.explicit.get(name, component)

    def asked_by(self, need: _Need) -> tuple[_Need, ...]:
        """Which locked distributions a distribution with these extras asks for on the image's platform."""
        asked = ((_need_of(line), _marker_of(line)) for line in self.locked[need.name].requires)
        return tuple(
            other
            for other, marker in asked
            if other.name in self.locked and _applies(marker, need.extras, python=self.python)
        )


def owned_by(recipes: Iterable[Recipe], lock: Lock) -> tuple[Owned, ...]:
    """Every locked distribution exactly once, grouped by owner; owners sorted by name, empty ones left out.

    Raises:
        InputError: two recipes name or claim one distribution.
    """
    recipes = tuple(recipes)
    holdings = _holdings(recipes, lock)
    reached = _reached_by(recipes, holdings)
    groups: dict[str, set[str]] = defaultdict(set)
    for name in holdings.locked:
        groups[holdings.explicit.get(name) or _sole(reached[name])].add(name)
    return tuple(
        Owned(
            owner=owner,
            wheels=tuple(wheel for wheel in lock.wheels if canonicalize_name(wheel.name) in names),
            sdists=tuple(sdist for sdist in lock.sdists if canonicalize_name(sdist.name) in names),
        )
        for owner, names in sorted(groups.items())
    )


def trespasses(recipes: Iterable[Recipe], lock: Lock) -> tuple[InputError, ...]:
    """Where a recipe needs a distribution of another recipe that it does not build on."""
    recipes = tuple(recipes)
    holdings = _holdings(recipes, lock)
    return tuple(
        InputError(
            f"{recipe.component} needs {name}, which belongs to {holdings.explicit[name]}",
            where=f"recipe {recipe.component}: needs",
            hint=f"import the recipe of {holdings.explicit[name]} and name it in `needs`",
        )
        for recipe in recipes
        for name in _borders(recipe, holdings)
        if holdings.explicit[name] not in _stands_on(recipe)
    )


def _borders(recipe: Recipe, holdings: _Holdings) -> list[str]:
    """The distributions of other recipes that what the recipe itself brings asks for."""
    mine = [need for need in _starts(recipe, holdings) if need.name in holdings.locked]
    asked = {other.name for need in mine for other in holdings.asked_by(need)}
    return sorted(name for name in asked if holdings.owner_else(name, recipe.component) != recipe.component)


def _stands_on(recipe: Recipe) -> set[str]:
    return {recipe.component}.union(*(_stands_on(below) for below in recipe.needs))


def _holdings(recipes: tuple[Recipe, ...], lock: Lock) -> _Holdings:
    locked: dict[str, Wheel | Sdist] = {canonicalize_name(wheel.name): wheel for wheel in lock.wheels}
    locked |= {canonicalize_name(sdist.name): sdist for sdist in lock.sdists}
    named = _unique((_need_of(text).name, recipe.component) for recipe in recipes for text in recipe.distributions)
    claimed = _unique(
        (name, recipe.component)
        for recipe in recipes
        for name in locked
        if name not in named and any(fnmatchcase(name, pattern) for pattern in recipe.claims)
    )
    return _Holdings(locked=locked, explicit=claimed | named, python=lock.python)


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    owners: dict[str, str] = {}
    faults = [
        InputError(
            f"the distribution {name} belongs to two recipes, {owners[name]} and {component}",
            where=f"recipe {component}: distributions",
            hint="name it in one of them; the other reaches it through `needs`",
        )
        for name, component in pairs
        if owners.setdefault(name, component) != component
    ]
    raise_all(faults)
    return owners


def _sole(owners: set[str]) -> str:
    return next(iter(owners)) if len(owners) == 1 else SHARED


def _starts(recipe: Recipe, holdings: _Holdings) -> list[_Need]:
    claimed = [_Need(name) for name, owner in holdings.explicit.items() if owner == recipe.component]
    return [*claimed, *(_need_of(text) for text in (*recipe.distributions, *recipe.requires))]


def _reached_by(recipes: tuple[Recipe, ...], holdings: _Holdings) -> dict[str, set[str]]:
    """For each distribution without an explicit owner, the recipes that need it."""
    reached: dict[str, set[str]] = defaultdict(set)
    for recipe in recipes:
        for name in _closure(recipe, holdings):
            reached[name].add(recipe.component)
    return reached


def _closure(recipe: Recipe, holdings: _Holdings) -> set[str]:
    """What a recipe needs, without what others own and what only those need."""
    seen: set[_Need] = set()
    waiting = _starts(recipe, holdings)
    while waiting:
        need = waiting.pop()
        foreign = holdings.owner_else(need.name, recipe.component) != recipe.component
        if need in seen or foreign or need.name not in holdings.locked:
            continue
        seen.add(need)
        waiting += holdings.asked_by(need)
    return {need.name for need in seen if need.name not in holdings.explicit}


@lru_cache(maxsize=65536)
def _need_of(requirement: str) -> _Need:
    match = _REQUIREMENT.match(requirement)
    if match is None:
        raise InputError(f"`{requirement}` is no requirement (PEP 508)")
    extras = (match["extras"] or "").split(",")
    return _Need(
        canonicalize_name(match["name"]),
        frozenset(canonicalize_name(extra.strip()) for extra in extras if extra.strip()),
    )


@lru_cache(maxsize=65536)
def _marker_of(requirement: str) -> str | None:
    match = _REQUIREMENT.match(requirement)
    return match["marker"] if match else None


@lru_cache(maxsize=65536)
def _applies(marker: str | None, extras: frozenset[str], *, python: str) -> bool:
    if marker is None:
        return True
    full = {"python_version": python, "python_full_version": f"{python}.0", "implementation_version": f"{python}.0"}
    parsed = Marker(marker)
    return any(parsed.evaluate({**_ENVIRONMENT, **full, "extra": extra}) for extra in (extras or {""}))
