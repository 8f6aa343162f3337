"""Where results of smoke tests are kept, by image digest and suite digest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from xpubuild.ports.events import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one check found. `reason` says why it failed or was skipped; `log` is the file of all that it printed."""

    name: str
    component: str
    status: Status
    reason: str
    seconds: float
    exit_code: int | None
    log: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a suite found on one image. `digest` is the image's, `suite` the suite's, both `sha256:…`."""

    digest: str
    suite: str
    results: tuple[Result, ...]

    def count(self, status: Status) -> int:
        """How many checks ended so."""
        return sum(result.status == status for result in self.results)


class Results(Protocol):
    """Keeps reports; a report is written whole or not at all."""

    def load(self, *, digest: str, suite: str) -> Report | None:
        """The report of this suite on this image, if one is kept."""

    def forget(self, *, digest: str, suite: str) -> None:
        """Keep no report of this suite on this image."""

    def save(self, report: Report) -> str:
        """Keep a report, also as JUnit XML beside it; the directory."""

    def save_log(self, text: str, *, digest: str, suite: str, name: str) -> str:
        """Keep the whole output of one check; the file."""
