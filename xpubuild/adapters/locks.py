"""Let one process at a time do something; the kernel drops a lock when its holder dies."""

from __future__ import annotations

import fcntl
from contextlib import contextmanager
from typing import TYPE_CHECKING

from xpubuild.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@contextmanager
def alone(path: Path, *, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock of the file `path`, made with its folder; `waiting` is called when another process holds it.

    Raises:
        MachineError: the file cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("w")
    except OSError as fault:
        raise MachineError(
            f"the state directory cannot be used: {fault.strerror}",
            where=str(path.parent),
            hint="run as root, or choose another one: XPUBUILD_STATE",
        ) from fault
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waiting is not None:
                waiting()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
