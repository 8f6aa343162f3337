"""Debian packages and the bases made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.model.artifact import Deb


class SystemPackages(Protocol):
    """What Debian serves today, as apt sees it."""

    def resolve(self, packages: tuple[str, ...], *, on: tuple[Deb, ...]) -> tuple[Deb, ...]:
        """Which .debs apt would install or upgrade to have `packages`, on a system of exactly `on`.

        With `on` empty: those of a new minimal system (essential packages, apt) that also holds `packages`. With `on`,
        updates of installed packages that the security suite has are part of the answer. Sorted by name.

        Raises:
            InputError: a package is unknown or conflicts with another; all are named.
            TransientError: the mirror does not answer.
        """

    def fetch(self, debs: tuple[Deb, ...]) -> tuple[Path, ...]:
        """Local files of the .debs, in their order, each verified by size and sha256.

        Raises:
            GoneError: the mirror no longer has some of them; all are named.
            BuildError: a file has other bytes than locked.
            TransientError: the mirror does not answer.
        """

    def newest(self, debs: tuple[Deb, ...]) -> int:
        """The time of the newest file in the .debs, in seconds since 1970; fetches them."""


class Bases(Protocol):
    """Base images made of .debs on this machine, kept as OCI layouts."""

    def make(self, debs: tuple[Deb, ...], *, epoch: int) -> str:
        """Make (once) the base of exactly these packages; returns its manifest digest, `sha256:…`.

        The same packages and epoch give the same digest on every machine.
        """

    def layout_of(self, digest: str) -> Path | None:
        """The OCI layout directory that holds a base made before, or None."""
