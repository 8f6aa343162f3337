"""How do the texts of a family and a release become values that cannot be wrong?

Every fault of a text is reported at once, each with file and key.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from datetime import date
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement

from xpubuild.errors import InputError, raise_all
from xpubuild.model.release import ANY, Component, Edition, EditionRule, Family, Override, Release, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FAMILY_KEYS = ("name", "title", "default-edition", "time-zone", "runner", "editions", "targets")
_RELEASE_KEYS = ("release", "cut-off", "editions")
_EDITION_KEYS = ("base", "components", "overrides", "missing")
_COMPONENT_KEYS = ("version", "carried-from")
_OVERRIDE_KEYS = ("requirement", "against", "reason")
_TARGET_KEYS = ("host", "namespace", "regions")


class _Reader:
    """Reads members of tables and keeps every fault with its key."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.faults: list[InputError] = []

    def fault(self, brief: str, key: str, hint: str | None = None) -> None:
        self.faults.append(InputError(brief, where=f"{self.where}: {key}", hint=hint))

    def known(self, table: Mapping[str, Any], keys: tuple[str, ...], path: str) -> None:
        for name in table:
            if name not in keys:
                near = difflib.get_close_matches(name, keys, 1)
                hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(keys)}"
                self.fault("unknown key", f"{path}{name}", hint)

    def text(self, table: Mapping[str, Any], key: str, path: str = "") -> str:
        """A string that is there and not empty; numbers are refused with the reason."""
        if key not in table:
            self.fault("is missing", f"{path}{key}")
            return ""
        return self.string(table[key], f"{path}{key}")

    def string(self, value: Any, key: str) -> str:
        if isinstance(value, str) and value:
            return value
        if isinstance(value, float | int) and not isinstance(value, bool):
            self.fault(
                f"a version has to be a string: without quotes TOML reads a number, and 25.10 becomes 25.1 (here: {value})",
                key,
                f'write it in quotes, as in "{value}"',
            )
        else:
            self.fault("has to be a string in quotes that is not empty", key)
        return ""

    def texts(self, table: Mapping[str, Any], key: str, path: str) -> tuple[str, ...]:
        found = table.get(key, [])
        if not isinstance(found, list):
            self.fault("has to be a list of strings", f"{path}{key}")
            return ()
        return tuple(self.string(item, f"{path}{key}[{place}]") for place, item in enumerate(found))

    def table(self, table: Mapping[str, Any], key: str, path: str = "") -> dict[str, Any]:
        found = table.get(key, {})
        if not isinstance(found, dict):
            self.fault("has to be a table", f"{path}{key}")
            return {}
        return found


def read_family(text: str, *, where: str) -> Family:
    """Parse a family's file; `where` names it in errors.

    Raises:
        InputError: no TOML, or its content is wrong; all faults at once.
    """
    content, reader = _parsed(text, where), _Reader(where)
    reader.known(content, _FAMILY_KEYS, "")
    family = Family(
        name=reader.text(content, "name"),
        title=reader.text(content, "title"),
        default_edition=reader.text(content, "default-edition"),
        editions=tuple(_edition_rule(reader, name, rule) for name, rule in reader.table(content, "editions").items()),
        targets=tuple(_target(reader, name, rule) for name, rule in reader.table(content, "targets").items()),
        time_zone=reader.text(content, "time-zone"),
        runner=reader.text(content, "runner"),
    )
    if family.default_edition not in {rule.name for rule in family.editions}:
        reader.fault(f"there is no edition {family.default_edition}", "default-edition")
    raise_all(reader.faults)
    return family


def read_release(text: str, *, where: str, name: str, family: str) -> Release:
    """Parse a release's file, whose stem is `name`.

    Raises:
        InputError: no TOML, or its content is wrong; all faults at once.
    """
    content, reader = _parsed(text, where), _Reader(where)
    reader.known(content, _RELEASE_KEYS, "")
    found = reader.text(content, "release")
    if found and found != name:
        reader.fault(f"the file is named {name}, the release {found}", "release", "rename one of them")
    release = Release(
        family=family,
        name=name,
        cut_off=_date(reader, content),
        editions=tuple(
            _edition(reader, edition, reader.table(reader.table(content, "editions"), edition, "editions."))
            for edition in reader.table(content, "editions")
        ),
    )
    if not release.editions:
        reader.fault("the release has no edition", "editions", "add a table [editions.cuda.components]")
    raise_all(reader.faults)
    return release


def _parsed(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        line = re.search(r"at line (\d+)", str(fault))
        place = f"{where}:{line[1]}" if line else where
        raise InputError(f"this is no TOML: {fault}", where=place) from fault


def _date(reader: _Reader, content: Mapping[str, Any]) -> str:
    value = content.get("cut-off")
    try:
        return date.fromisoformat(value if isinstance(value, str) else "").isoformat()
    except ValueError:
        reader.fault("has to be a day in quotes", "cut-off", 'as in "2025-04-01"')
        return ""


def _edition_rule(reader: _Reader, name: str, rule: Any) -> EditionRule:
    path = f"editions.{name}."
    table = rule if isinstance(rule, dict) else {}
    reader.known(table, ("repository",), path)
    return EditionRule(name=name, repository=reader.text(table, "repository", path))


def _target(reader: _Reader, name: str, rule: Any) -> Target:
    path = f"targets.{name}."
    table = rule if isinstance(rule, dict) else {}
    reader.known(table, _TARGET_KEYS, path)
    target = Target(
        name=name,
        host=reader.text(table, "host", path),
        namespace=reader.text(table, "namespace", path),
        regions=reader.texts(table, "regions", path),
    )
    if ("{region}" in target.host) != bool(target.regions):
        reader.fault("{region} in the host and a list of regions go together", f"{path}host")
    return target


def _edition(reader: _Reader, name: str, table: Mapping[str, Any]) -> Edition:
    path = f"editions.{name}."
    reader.known(table, _EDITION_KEYS, path)
    components = reader.table(table, "components", path)
    missing = reader.texts(table, "missing", path)
    if not components and not missing:
        reader.fault("the edition has no components", f"{path}components")
    overrides = table.get("overrides", [])
    return Edition(
        name=name,
        base=reader.text(table, "base", path),
        components=tuple(_component(reader, f"{path}components.{key}", value) for key, value in components.items()),
        overrides=tuple(
            _override(reader, item, f"{path}overrides[{place}].") for place, item in enumerate(_list(overrides))
        ),
        missing=missing,
    )


def _list(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else [value]


def _component(reader: _Reader, key: str, value: Any) -> Component:
    name = key.rsplit(".", 1)[-1]
    if isinstance(value, dict):
        reader.known(value, _COMPONENT_KEYS, f"{key}.")
        carried = reader.text(value, "carried-from", f"{key}.") if "carried-from" in value else None
        return Component(name=name, version=reader.text(value, "version", f"{key}."), carried_from=carried)
    version = reader.string(value, key)
    if version and version != ANY and re.search(r"\s", version):
        reader.fault("a version holds no white space", key)
    return Component(name=name, version=version)


def _override(reader: _Reader, item: Any, path: str) -> Override:
    table = item if isinstance(item, dict) else {}
    reader.known(table, _OVERRIDE_KEYS, path)
    requirement = reader.text(table, "requirement", path)
    try:
        Requirement(requirement or "unknown")
    except InvalidRequirement:
        reader.fault(f"`{requirement}` is no requirement (PEP 508)", f"{path}requirement", 'as in "ray[adag]==2.43.0"')
    return Override(
        requirement=requirement, against=reader.text(table, "against", path), reason=reader.text(table, "reason", path)
    )
