"""Directories of runs below the state directory, the newest kept."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from xpubuild.adapters.locks import alone

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from xpubuild.render import Rendered

_KEPT = 20


class RunDirectories:
    """One directory a run below `root`; older ones go."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def new(self, name: str) -> Path:
        """See `workflows.build.Workspace`."""
        self._root.mkdir(parents=True, exist_ok=True)
        for old in sorted(
            (path for path in self._root.iterdir() if path.is_dir()), key=lambda path: path.stat().st_mtime
        )[:-_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        directory = self._root / f"{stamp}-{name}-{os.getpid()}"
        directory.mkdir()
        return directory

    def lay(self, directory: Path, files: Rendered) -> None:
        """See `workflows.build.Workspace`."""
        lay_files(directory, files)

    def alone(self, name: str, waiting: Callable[[], None]) -> AbstractContextManager[None]:
        """See `workflows.build.Workspace`."""
        return alone(self._root / f".{name}.lock", waiting=waiting)

    def free_bytes(self, place: str) -> int | None:
        """See `workflows.build.Workspace`."""
        path = Path(place)
        return shutil.disk_usage(path).free if path.exists() else None


def lay_files(directory: Path, files: Rendered) -> None:
    """Write rendered files below a directory, readable by all whatever the umask."""
    for name, text in files.files:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        path.chmod(0o644)
        path.parent.chmod(0o755)
