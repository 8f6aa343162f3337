"""How do the texts of a family and a release become values that cannot be wrong?

Every fault of a text is reported at once, each with file and key.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement

from xpubuild.errors import InputError, raise_all
from xpubuild.model.reference import is_tag, repository
from xpubuild.model.release import (
    Component,
    Edition,
    EditionRule,
    Family,
    LayerLimits,
    Override,
    Release,
    TagRules,
    Target,
)
from xpubuild.model.table_reader import TableReader, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FAMILY_KEYS = ("name", "title", "default-edition", "time-zone", "runner", "editions", "targets", "tags", "limits")
_RELEASE_KEYS = ("release", "cut-off", "editions")
_EDITION_KEYS = ("base", "components", "overrides", "missing")
_COMPONENT_KEYS = ("version", "carried-from")
_OVERRIDE_KEYS = ("requirement", "against", "reason")
_TARGET_KEYS = ("host", "namespace", "regions")
_LIMIT_KEYS = ("layers", "layer-bytes")
_TAG_FIELDS = {"release": ("release",), "post": ("release", "number"), "nightly": ("release", "date")}
# A release as people name it in tags, file names and bake variables: no white space, no character that a tag lacks.
_EXAMPLE = {"release": "25.03", "number": "1", "date": "20250401"}


def read_family(text: str, *, where: str) -> Family:
    """Parse a family's file; `where` names it in errors.

    Raises:
        InputError: no TOML, or its content is wrong; all faults at once.
    """
    content, reader = read_toml(text, where=where), TableReader(where)
    reader.known(content, _FAMILY_KEYS, "")
    family = Family(
        name=reader.text(content, "name"),
        title=reader.text(content, "title"),
        default_edition=reader.text(content, "default-edition"),
        editions=tuple(_edition_rule(reader, name, rule) for name, rule in reader.table(content, "editions").items()),
        targets=tuple(_target(reader, name, rule) for name, rule in reader.table(content, "targets").items()),
        tags=_tag_rules(reader, reader.table(content, "tags")),
        limits=_limits(reader, reader.table(content, "limits")),
        time_zone=reader.text(content, "time-zone"),
        runner=reader.text(content, "runner"),
    )
    raise_all(reader.faults)
    _refuse_incoherent(reader, family)
    return family


def _refuse_incoherent(reader: TableReader, family: Family) -> None:
    if not family.targets:
        reader.fault("the family has no target", "targets", "add a table [targets.public]")
    if family.default_edition not in {rule.name for rule in family.editions}:
        reader.fault(f"there is no edition {family.default_edition}", "default-edition")
    for rule in family.editions:
        for target in family.targets:
            try:
                repository(target.host, f"{target.namespace}/{rule.repository}")
            except InputError as fault:
                reader.fault(fault.brief, f"editions.{rule.name}.repository", fault.hint)
    raise_all(reader.faults)


def read_release(text: str, *, where: str, name: str, family: str) -> Release:
    """Parse a release's file, whose stem is `name`.

    Raises:
        InputError: no TOML, or its content is wrong; all faults at once.
    """
    content, reader = read_toml(text, where=where), TableReader(where)
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


def _date(reader: TableReader, content: Mapping[str, Any]) -> str:
    if "cut-off" not in content:
        reader.fault("is missing", "cut-off", 'as in cut-off = "2025-04-01"')
        return ""
    value = content["cut-off"]
    try:
        return date.fromisoformat(value if isinstance(value, str) else "").isoformat()
    except ValueError:
        reader.fault("has to be a day in quotes", "cut-off", 'as in "2025-04-01"')
        return ""


def _edition_rule(reader: TableReader, name: str, rule: Any) -> EditionRule:
    path = f"editions.{name}."
    table = rule if isinstance(rule, dict) else {}
    reader.known(table, ("repository",), path)
    return EditionRule(name=name, repository=reader.text(table, "repository", path))


def _target(reader: TableReader, name: str, rule: Any) -> Target:
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


def _tag_rules(reader: TableReader, table: Mapping[str, Any]) -> TagRules:
    reader.known(table, tuple(_TAG_FIELDS), "tags.")
    release, post, nightly = (_tag_pattern(reader, table, kind) for kind in _TAG_FIELDS)
    return TagRules(release=release, post=post, nightly=nightly)


def _tag_pattern(reader: TableReader, table: Mapping[str, Any], kind: str) -> str:
    pattern = reader.text(table, kind, "tags.")
    fields = _TAG_FIELDS[kind]
    if pattern and sorted(re.findall(r"\{(\w*)\}", pattern)) != sorted(fields):
        reader.fault(f"has to hold {' and '.join(f'{{{field}}}' for field in fields)}, each once", f"tags.{kind}")
    elif pattern and not is_tag(re.sub(r"\{(\w+)\}", lambda found: _EXAMPLE[found[1]], pattern)):
        reader.fault("makes no valid tag", f"tags.{kind}", "a tag holds letters, digits, _ . and -")
    return pattern


def _limits(reader: TableReader, table: Mapping[str, Any]) -> LayerLimits:
    reader.known(table, _LIMIT_KEYS, "limits.")
    return LayerLimits(
        layers=reader.number(table, "layers", "limits."), layer_bytes=reader.number(table, "layer-bytes", "limits.")
    )


def _edition(reader: TableReader, name: str, table: Mapping[str, Any]) -> Edition:
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
        components=tuple(
            _component(reader, name, value, key=f"{path}components.{name}") for name, value in components.items()
        ),
        overrides=tuple(
            _override(reader, item, f"{path}overrides[{place}].") for place, item in enumerate(_list(overrides))
        ),
        missing=missing,
    )


def _list(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else [value]


def _component(reader: TableReader, name: str, value: Any, *, key: str) -> Component:
    if isinstance(value, dict):
        reader.known(value, _COMPONENT_KEYS, f"{key}.")
        carried = reader.text(value, "carried-from", f"{key}.") if "carried-from" in value else None
        version = _version(reader, value.get("version"), f"{key}.version")
        return Component(name=name, version=version, carried_from=carried)
    return Component(name=name, version=_version(reader, value, key))


def _version(reader: TableReader, value: Any, key: str) -> str:
    version = reader.string(value, key)
    if re.search(r"\s", version):
        reader.fault("a version holds no white space", key)
    return version


def _override(reader: TableReader, item: Any, path: str) -> Override:
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
