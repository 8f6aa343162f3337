"""How are bytes and seconds written for people? Decimal units, as disks and registries count."""

from __future__ import annotations

_MINUTE = 60
_HOUR = 3600
_TENTHS_BELOW = 10
_STEP = 1000
_DECIMALS = {"B": 0, "kB": 0, "MB": 1, "GB": 1, "TB": 1}


def size_text(count: float) -> str:
    """Bytes: `950 B`, `12 kB`, `1.5 MB`, `3.7 GB`."""
    value, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        # What would be rounded up to 1000 is written in the next unit.
        if round(value, _DECIMALS[unit]) < _STEP:
            break
        value, unit = value / _STEP, larger
    return f"{value:.{_DECIMALS[unit]}f} {unit}"


def seconds_text(seconds: float) -> str:
    """A span of time: `0.4 s`, `12 s`, `4 min 03 s`, `1 h 02 min`."""
    if round(seconds, 1) < _TENTHS_BELOW:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min {whole % _MINUTE:02} s"
    return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE:02} min"
