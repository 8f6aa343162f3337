"""What is one locked input file, and where does it come from?"""

from __future__ import annotations

from dataclasses import dataclass

SCHEMES = ("pypi", "debian", "debian-security", "store")


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """Where a locked byte comes from, without a host: `pypi:packages/ab/cd/x.whl`, `debian:pool/main/g/gdb/x.deb`."""

    scheme: str
    path: str

    def __str__(self) -> str:
        return f"{self.scheme}:{self.path}"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Artifact:
    """One file, pinned. `size` in bytes, `sha256` as 64 hexadecimal digits."""

    file: str
    size: int
    sha256: str
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Wheel:
    """A locked wheel (binary distribution format).

    `name` is normalised (PEP 503), `version` as the file's METADATA has it; `requires` are its Requires-Dist lines;
    `contents` is the sha256 of its RECORD's (path, hash) pairs, so two wheels with the same files can be told.
    """

    name: str
    version: str
    artifact: Artifact
    requires: tuple[str, ...] = ()
    contents: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Sdist:
    """A locked source distribution, built to a wheel in the graph with exactly the locked `build` wheels (file names)."""

    name: str
    version: str
    artifact: Artifact
    requires: tuple[str, ...] = ()
    build: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Deb:
    """A locked Debian binary package."""

    name: str
    version: str
    architecture: str
    artifact: Artifact
