"""Debian packages of this machine's suite: resolved by apt, fetched and verified by us."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xpubuild.adapters.process import require_command
from xpubuild.model.command import Command

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.adapters.apt import Apt
    from xpubuild.adapters.downloads import Downloads
    from xpubuild.model.artifact import Deb

_MINIMAL = ("?essential", "apt")
"""The least system that apt can add packages to, as an apt pattern and a package."""


class AptPackages:
    """`ports.system.SystemPackages` through apt."""

    def __init__(self, apt: Apt, downloads: Downloads) -> None:
        self._apt = apt
        self._downloads = downloads

    def resolve(self, packages: tuple[str, ...], *, on: tuple[Deb, ...]) -> tuple[Deb, ...]:
        """See the port. On a system, every installed package is named too: apt then moves it to its newest version."""
        if not on:
            return self._apt.plan((*_MINIMAL, *packages))
        return self._apt.plan((*packages, *(deb.name for deb in on)), status=self._status_of(on))

    def fetch(self, debs: tuple[Deb, ...]) -> tuple[Path, ...]:
        """See the port."""
        return self._downloads.fetch(deb.artifact for deb in debs)

    def newest(self, debs: tuple[Deb, ...]) -> int:
        """See the port. The archive's own time (deb(5)) is that of its newest file or later."""
        return max((_archive_time(file) for file in self.fetch(debs)), default=0)

    def _status_of(self, debs: tuple[Deb, ...]) -> bytes:
        """A dpkg status file of a system on which exactly these packages are installed."""
        stanzas = []
        for file in self.fetch(debs):
            control = require_command(Command(argv=("dpkg-deb", "--field", str(file)), seconds=60)).stdout
            stanzas.append(control.rstrip() + b"\nStatus: install ok installed\n")
        return b"\n".join(stanzas)


def _archive_time(deb: Path) -> int:
    """The modification time of the first member of an ar archive."""
    with deb.open("rb") as archive:
        return int(archive.read(36)[24:])
