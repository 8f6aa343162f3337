"""What is one program to run? A value; `adapters.process` runs it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A program with its arguments; `environment` is added to the one of this process, `seconds` bounds its wall time."""

    argv: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()
    directory: str | None = None
    seconds: float | None = None
    stdin: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """How a command ended."""

    command: Command
    exit_code: int
    stdout: bytes
    stderr: bytes
