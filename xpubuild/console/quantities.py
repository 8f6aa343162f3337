"""How are bytes and seconds written for people? Decimal units, as disks and registries count."""

from __future__ import annotations

_MINUTE = 60
_HOUR = 3600


def size_text(count: float) -> str:
    """Bytes: `950 B`, `1.5 MB`, `3.7 GB`."""
    value = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:  # noqa: PLR2004 - the step of decimal units
            return f"{value:.0f} {unit}" if unit in {"B", "kB"} else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"


def seconds_text(seconds: float) -> str:
    """A span of time: `0.4 s`, `12 s`, `4 min 03 s`, `1 h 02 min`."""
    if seconds < 10:  # noqa: PLR2004 - where a tenth is still of interest
        return f"{seconds:.1f} s"
    if seconds < _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < _HOUR:
        return f"{int(seconds) // _MINUTE} min {int(seconds) % _MINUTE:02} s"
    return f"{int(seconds) // _HOUR} h {int(seconds) % _HOUR // _MINUTE:02} min"
