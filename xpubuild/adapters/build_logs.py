"""Keep what a build said: the raw stream, and what the steps of each node print, in files."""

from __future__ import annotations

import base64
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO

from xpubuild.progress import node_of

if TYPE_CHECKING:
    from pathlib import Path

_OWN = "buildkit"


class BuildLogs(ExitStack):
    """Files in `folder`: `rawjson.log`, and for each node that prints, `NODE.log`. A second attempt adds to them."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._files: dict[str, BinaryIO] = {}
        self._names: dict[str, str] = {}

    def keep(self, line: str, event: dict[str, Any] | None) -> None:
        """Keep one line, and what it tells when it is an event."""
        self._file("rawjson").write(line.rstrip("\n").encode() + b"\n")
        if event is None:
            return
        self._names |= {told["digest"]: told.get("name", "") for told in event.get("vertexes") or ()}
        for told in event.get("logs") or ():
            name = node_of(self._names.get(told["vertex"], "")) or _OWN
            self._file(name).write(base64.b64decode(told.get("data") or ""))

    def flush(self) -> None:
        """Make what was kept readable for others."""
        for file in self._files.values():
            file.flush()

    def _file(self, name: str) -> BinaryIO:
        if name not in self._files:
            self._files[name] = self.enter_context((self._folder / f"{name}.log").open("ab"))
        return self._files[name]
