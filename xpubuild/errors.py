"""Which faults can be met, who must act on each, and with which exit code a run ends.

XpubuildError
├── InputError        2   a release file, recipe, configuration or command line is wrong
├── LockError         3   the lock is missing, stale or edited: run `xpubuild lock`
├── GoneError         4   a locked file is no longer served: run `xpubuild lock --refresh-system`
├── MachineError      5   engine, disk, tool or right missing on this machine
├── BuildError        6   a step of the build failed, or other bytes came than were locked
├── CheckError        7   the image was built, a smoke test failed
├── TransientError   75   try again later: a server is busy, a connection broke (EX_TEMPFAIL of sysexits.h)
└── Faults                several of the above at once; the exit code of the gravest
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


class XpubuildError(Exception):
    """A fault that a person can act on.

    Args:
        brief: one line, what is wrong, in the user's words.
        where: the file and key (`images/x.toml: components.torch`), node or address it was met at.
        hint: what to do about it.
        details: further lines, such as the last output of a failed step.
    """

    exit_code: ClassVar[int] = 1

    def __init__(
        self, brief: str, *, where: str | None = None, hint: str | None = None, details: str | None = None
    ) -> None:
        super().__init__(brief)
        self.brief = brief
        self.where = where
        self.hint = hint
        self.details = details

    def __str__(self) -> str:
        return f"{self.where}: {self.brief}" if self.where else self.brief


class InputError(XpubuildError):
    """A release file, recipe, configuration or command line is wrong."""

    exit_code = 2


class LockError(XpubuildError):
    """The lock is missing, stale or was edited by hand."""

    exit_code = 3


class GoneError(XpubuildError):
    """A locked file is no longer served by any mirror."""

    exit_code = 4


class MachineError(XpubuildError):
    """This machine lacks an engine, disk, tool or right."""

    exit_code = 5


class BuildError(XpubuildError):
    """A step of the build failed."""

    exit_code = 6


class CheckError(XpubuildError):
    """A smoke test failed."""

    exit_code = 7


class TransientError(XpubuildError):
    """Worth trying again later; nothing is wrong with the input."""

    exit_code = 75


class Faults(XpubuildError):  # noqa: N818 - a collection of errors, named for what it holds
    """Several faults met together, reported at once.

    Args:
        faults: at least one fault; nested `Faults` are flattened.
    """

    def __init__(self, faults: Iterable[XpubuildError]) -> None:
        self.faults = tuple(leaf for fault in faults for leaf in leaves_of(fault))
        super().__init__(f"{len(self.faults)} faults")

    @property
    def code(self) -> int:
        """The exit code: the smallest final one, 75 only when every fault is transient."""
        return min(fault.exit_code for fault in self.faults)


def leaves_of(fault: XpubuildError) -> tuple[XpubuildError, ...]:
    """The single faults in a fault."""
    return fault.faults if isinstance(fault, Faults) else (fault,)


def exit_code_of(fault: XpubuildError) -> int:
    """With which code a run that met this fault ends."""
    return fault.code if isinstance(fault, Faults) else fault.exit_code


def raise_all(faults: Iterable[XpubuildError]) -> None:
    """Raise what was found, if anything was: one fault as itself, several as `Faults`."""
    found = tuple(faults)
    if len(found) == 1:
        raise found[0]
    if found:
        raise Faults(found)
