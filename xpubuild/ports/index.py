"""An index of Python distributions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from xpubuild.model.artifact import Artifact


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One resolved distribution: `file` is the best wheel for the platform, or the sdist where there is none."""

    name: str
    version: str
    file: Artifact
    is_wheel: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What to resolve. `preferences` are pins (`name==version`) to keep where they are still allowed.

    `cut_off` is an ISO 8601 date: files uploaded later do not exist. `components` says for a requirement which key of
    the release file it comes from, for explanations.
    """

    requirements: tuple[str, ...]
    overrides: tuple[str, ...]
    preferences: tuple[str, ...]
    cut_off: str
    python: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """What a wheel or sdist says of itself.

    `record` are (installed path, hash) pairs of a wheel; `build_requires` those of an sdist (PEP 518).
    """

    name: str
    version: str
    requires: tuple[str, ...]
    record: tuple[tuple[str, str], ...] = ()
    build_requires: tuple[str, ...] = ()


class Index(Protocol):
    """Resolves requirements and looks into files without fetching the large ones."""

    def resolve(self, question: Question) -> tuple[Pin, ...]:
        """One pin for each distribution, sorted by name.

        Raises:
            InputError: there is no set of versions; which component and distribution contradict, and what to write.
            TransientError: the index does not answer.
        """

    def inspect(self, pin: Pin) -> Inspected:
        """What the file of a pin says of itself.

        Raises:
            BuildError: the file contradicts its name, or its RECORD does not list what it holds.
            GoneError, TransientError: it cannot be reached.
        """

    def missing(self, artifacts: tuple[Artifact, ...]) -> tuple[Artifact, ...]:
        """Which of these files are no longer served.

        Raises:
            BuildError: a mirror refuses to say.
            TransientError: a mirror does not answer.
        """
