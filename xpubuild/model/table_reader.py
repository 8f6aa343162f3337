"""How are members of a TOML text read, so that every fault of it is told at once, each with file and key?"""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xpubuild.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class _Decimal:
    """A number with a point as it was written: as a float, 25.10 would be 25.1 before it could be told."""

    text: str


def read_toml(text: str, *, where: str) -> dict[str, Any]:
    """Parse a text; numbers with a point keep how they were written.

    Raises:
        InputError: no TOML; file and line.
    """
    try:
        return tomllib.loads(text, parse_float=_Decimal)
    except tomllib.TOMLDecodeError as fault:
        line = re.search(r"at line (\d+)", str(fault))
        place = line[1] if line else len(text.splitlines())
        raise InputError(f"this is no TOML: {fault}", where=f"{where}:{place}") from fault


class TableReader:
    """Reads members of tables and keeps every fault with its key."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.faults: list[InputError] = []

    def fault(self, brief: str, key: str, hint: str | None = None) -> None:
        """Keep a fault of a key."""
        self.faults.append(InputError(brief, where=f"{self.where}: {key}", hint=hint))

    def known(self, table: Mapping[str, Any], keys: tuple[str, ...], path: str) -> None:
        """Find keys that mean nothing here, with the nearest that does."""
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
        """A string that is not empty; numbers are refused with the reason."""
        if isinstance(value, str) and value:
            return value
        if isinstance(value, _Decimal | int) and not isinstance(value, bool):
            written = value.text if isinstance(value, _Decimal) else value
            self.fault(
                f"{written} has to be a string: without quotes TOML reads a number, and 25.10 becomes 25.1",
                key,
                f'write it in quotes: "{written}"',
            )
        else:
            self.fault("has to be a string in quotes that is not empty", key)
        return ""

    def number(self, table: Mapping[str, Any], key: str, path: str) -> int:
        """A whole number above 0."""
        value = table.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
        self.fault("has to be a whole number above 0" if key in table else "is missing", f"{path}{key}")
        return 0

    def texts(self, table: Mapping[str, Any], key: str, path: str) -> tuple[str, ...]:
        """A list of strings, empty where there is none."""
        found = table.get(key, [])
        if not isinstance(found, list):
            self.fault("has to be a list of strings", f"{path}{key}")
            return ()
        return tuple(self.string(item, f"{path}{key}[{place}]") for place, item in enumerate(found))

    def table(self, table: Mapping[str, Any], key: str, path: str = "") -> dict[str, Any]:
        """A table, empty where there is none."""
        found = table.get(key, {})
        if not isinstance(found, dict):
            self.fault("has to be a table", f"{path}{key}")
            return {}
        return found
