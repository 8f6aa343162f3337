"""What pins every input byte of one release and edition?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xpubuild.model.artifact import Deb, Sdist, Wheel


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPath:
    """A path that several distributions carry. `same` when all of them have the same bytes there."""

    path: str
    distributions: tuple[str, ...]
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalFile:
    """A file of the repository that goes into the image; `path` is relative to the repository."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DebianBase:
    """A base made from exactly these packages; `digest` is the manifest digest (`sha256:…`) of the OCI layout they give."""

    suite: str
    digest: str
    debs: tuple[Deb, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuilderLock:
    """The small image in which roots are installed: a base with Python, and uv. Shared by all releases."""

    base: DebianBase
    uv: Wheel


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a lock was resolved from; kept in it so that a stale lock can say what changed."""

    cut_off: str
    requirements: tuple[str, ...]
    overrides: tuple[str, ...]
    system: tuple[str, ...]
    base: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """Every input byte of one release and edition.

    `epoch` is SOURCE_DATE_EPOCH in seconds; `python` the interpreter's `major.minor`; `build` the wheels that only
    sdists are built with.
    """

    release: str
    edition: str
    python: str
    platform: str
    epoch: int
    request: Request
    base: DebianBase
    system: tuple[Deb, ...]
    wheels: tuple[Wheel, ...]
    sdists: tuple[Sdist, ...]
    build: tuple[Wheel, ...]
    shared_paths: tuple[SharedPath, ...]
    files: tuple[LocalFile, ...]
