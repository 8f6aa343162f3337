"""Which process is which? What /proc tells of them (proc(5)); ids alone are given again to others."""

from __future__ import annotations

from pathlib import Path

_STATE = 0
_PARENT = 1
_START_TIME = 19
"""Places in /proc/PID/stat after the parenthesised name."""


def start_time(pid: int) -> int | None:
    """When a process started, in clock ticks since boot; None when it does not run, or ended and was not waited for."""
    fields = _fields(pid)
    return None if fields is None or fields[_STATE] == "Z" else int(fields[_START_TIME])


def parent_of(pid: int) -> int | None:
    """The parent of a process; None when there is no such process."""
    fields = _fields(pid)
    return None if fields is None else int(fields[_PARENT])


def boot() -> str:
    """Which start of the machine this is: process ids and start times begin anew with each. Empty where it is not told."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _fields(pid: int) -> list[str] | None:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return None
