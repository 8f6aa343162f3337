"""Status events that a real BuildKit told (`--progress=rawjson`), kept in `tests/unit/data`.

`built`: one file of 16 MB fetched, one root, the export pushed. `cached`: the same again. `failed`: one root fails while its
sibling sleeps. Only the host part of the base's name was taken out.
"""

from __future__ import annotations

import json
import re
from functools import reduce
from pathlib import Path
from typing import Any

from xpubuild.progress import Building, fold

_DATA = Path(__file__).resolve().parent / "unit" / "data"
FETCHED = 16_000_000


def lines_of(sample: str) -> list[str]:
    return (_DATA / f"{sample}.rawjson").read_text(encoding="utf-8").splitlines()


def events_of(sample: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines_of(sample) if line.startswith("{")]


def others_of(sample: str) -> list[str]:
    """What buildx itself said."""
    return [line for line in lines_of(sample) if not line.startswith("{")]


def start_of(sample: str) -> Building:
    """Nothing told yet; the sizes of all files are known."""
    found = re.findall(r"--checksum=sha256:([0-9a-f]{64})", "\n".join(lines_of(sample)))
    return Building(sizes=dict.fromkeys(found, FETCHED))


def states_of(sample: str) -> list[Building]:
    """The state after each event."""
    states = [start_of(sample)]
    for event in events_of(sample):
        states.append(fold(states[-1], event))
    return states[1:]


def state_of(sample: str) -> Building:
    """The state at the end."""
    return reduce(fold, events_of(sample), start_of(sample))
