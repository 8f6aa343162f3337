"""What did an engine leave running or mounted that was killed? End that, and nothing else.

An engine that is killed leaves its containers and their mounts behind. They are known by the paths of the engine in
their arguments and by the program's name; removing files below a mount of theirs would remove what is mounted there.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from xpubuild.adapters.processes import parent_of, start_time
from xpubuild.errors import MachineError

_PROGRAMS = ("dockerd", "containerd", "containerd-shim-runc-v2")
_PATIENCE_SECONDS = 20
_DETACH = 2
"""MNT_DETACH of umount(2): the mount goes at once, also where something still holds a file of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Process:
    pid: int
    parent: int
    argv: tuple[str, ...]


def end_leftovers(home: Path) -> None:
    """Kill what still runs of the engine whose files lie in `home`, and unmount what it mounted below.

    Raises:
        MachineError: something of it cannot be ended.
    """
    processes = _processes()
    left = {process.pid for process in processes if _is_of(process, home)}
    family = left | _descendants(processes, left)
    for pid in family:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + _PATIENCE_SECONDS
    while any(start_time(pid) is not None for pid in family):
        if time.monotonic() > end:
            alive = ", ".join(str(pid) for pid in sorted(family) if start_time(pid) is not None)
            raise MachineError(f"processes of an earlier engine cannot be ended: {alive}", where=str(home))
        time.sleep(0.02)
    _unmount(home)


def _is_of(process: _Process, home: Path) -> bool:
    marks = {
        str(home / place) for place in ("data", "run/containerd/containerd.toml", "run/containerd/containerd.sock")
    }
    return bool(process.argv) and Path(process.argv[0]).name in _PROGRAMS and not marks.isdisjoint(process.argv)


def _descendants(processes: tuple[_Process, ...], pids: set[int]) -> set[int]:
    """A shim adopts the orphans of its container, so that all of these descend from it."""
    children = {process.pid for process in processes if process.parent in pids} - pids
    return children | _descendants(processes, pids | children) if children else set()


def _processes() -> tuple[_Process, ...]:
    found = (_process(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return tuple(process for process in found if process is not None)


def _process(pid: int) -> _Process | None:
    parent = parent_of(pid)
    try:
        argv = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
    except OSError:
        return None
    return None if parent is None else _Process(pid=pid, parent=parent, argv=tuple(argv))


def _unmount(home: Path) -> None:
    # The C library's own call: a small Debian has no program for it.
    library = ctypes.CDLL(None)
    for place in reversed(mounts_below(home)):
        library.umount2(os.fsencode(place), _DETACH)
    if left := mounts_below(home):
        raise MachineError(
            f"mounts of an earlier engine cannot be undone: {', '.join(str(place) for place in left)}", where=str(home)
        )


def mounts_below(folder: Path) -> tuple[Path, ...]:
    """The mount points in a folder, outer before inner, as often as something is mounted there."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    places = (_unescaped(line.split()[4]) for line in lines)
    return tuple(place for place in places if place.is_relative_to(folder) and place != folder)


def _unescaped(text: str) -> Path:
    return Path(re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text))
