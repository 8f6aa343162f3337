"""What does this site's configuration say? One TOML file, every key known."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xpubuild.errors import InputError, raise_all

if TYPE_CHECKING:
    from pathlib import Path

_KEYS = {
    "index": ("url", "files"),
    "mirrors": ("debian", "debian-security", "store"),
    "registry": ("candidates",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A site's settings; None where the machine's own clients are to be asked.

    Attributes:
        index_url: the simple repository (PEP 503) that locks are resolved against.
        index_files: the base URL of its files.
        mirrors: (scheme, base URL) for origins.
        candidates: `host:port` of the registry that candidates go to; None takes the embedded one.
    """

    index_url: str | None = None
    index_files: str | None = None
    mirrors: tuple[tuple[str, str], ...] = ()
    candidates: str | None = None


def read_configuration(path: Path) -> Configuration:
    """Read the file; an absent one configures nothing.

    Raises:
        InputError: no TOML, unknown keys (with the nearest), values that are no strings; all at once.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Configuration()
    except (OSError, ValueError) as fault:
        raise InputError(f"the configuration cannot be read: {fault}", where=str(path)) from fault
    raise_all(_faults(tables, str(path)))
    index, mirrors = tables.get("index", {}), tables.get("mirrors", {})
    return Configuration(
        index_url=index.get("url"),
        index_files=index.get("files"),
        mirrors=tuple(sorted(mirrors.items())),
        candidates=tables.get("registry", {}).get("candidates"),
    )


def _faults(tables: dict[str, Any], where: str) -> list[InputError]:
    faults = []
    for table, members in tables.items():
        if table not in _KEYS or not isinstance(members, dict):
            faults.append(_unknown(table, tuple(_KEYS), where))
            continue
        for name, value in members.items():
            if name not in _KEYS[table]:
                faults.append(_unknown(f"{table}.{name}", tuple(f"{table}.{key}" for key in _KEYS[table]), where))
            elif not isinstance(value, str):
                faults.append(InputError("the value has to be a string", where=f"{where}: {table}.{name}"))
    return faults


def _unknown(name: str, known: tuple[str, ...], where: str) -> InputError:
    near = difflib.get_close_matches(name, known, 1)
    return InputError(
        "unknown key",
        where=f"{where}: {name}",
        hint=f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}",
    )
