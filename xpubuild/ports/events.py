"""What happens during a workflow, as typed events; a console draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from xpubuild.progress import Building

Status = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Something that a person wants to know while it goes on."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildProgressed:
    """The build went on."""

    state: Building


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckStarted:
    """A smoke test was started."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckEnded:
    """A smoke test ended; `reason` says why it failed or was skipped, `seconds` how long it ran."""

    name: str
    status: Status
    reason: str
    seconds: float


Event = Noted | BuildProgressed | CheckStarted | CheckEnded
