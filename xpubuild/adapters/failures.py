"""Why did a build fail? From BuildKit's events to an error that names the step and its own words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xpubuild.errors import BuildError, GoneError, MachineError, TransientError, XpubuildError
from xpubuild.progress import first_failure, node_of

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.progress import Building, Vertex

_LINES = 20
_URL = re.compile(r"https?://\S+")
_FULL = "no space left on device"
_LOST = (
    "failed to receive status", "connection refused", "error reading from server", "transport is closing",
    "Cannot connect to the Docker daemon", "EOF",
)  # fmt: skip
_OK = (200, 206)
_BUSY = 429
_GONE = (404, 410)
_FIRST_SERVER_ERROR = 500


def explain(state: Building, others: list[str], *, logs: Path, data_root: str | None) -> XpubuildError:
    """The error for a bake that failed; `others` are the lines of its output that are no events."""
    failed = first_failure(state)
    words = "\n".join([*(failed.error or "" for failed in [failed] if failed), *others])
    if _FULL in words:
        return MachineError(
            "the disk is full",
            where=data_root or "the engine's data",
            hint="free some: `docker builder prune` on this engine, or `xpubuild engine status` to see what it holds",
        )
    if failed is None:
        return _without_step(others, logs)
    if "digest mismatch" in words or failed.name.startswith(("http://", "https://")) or " ADD " in failed.name:
        return _fetch_failure(failed, logs)
    if failed.name.startswith(("exporting", "pushing")):
        return _push_failure(failed, logs)
    return _step_failure(failed, logs)


def _without_step(others: list[str], logs: Path) -> XpubuildError:
    words = "\n".join(line for line in others[-_LINES:] if line)
    if any(sign in words for sign in _LOST):
        return MachineError(
            "the engine went away during the build",
            hint="see `xpubuild engine status`; what was built is kept",
            details=words,
        )
    return BuildError("buildx failed before any step", where=str(logs / "rawjson.log"), details=words)


def _step_failure(failed: Vertex, logs: Path) -> XpubuildError:
    node = node_of(failed.name) or "buildkit"
    code = re.search(r"exit code: (\d+)", failed.error or "")
    command = failed.name.split("] ", 1)[-1]
    log = logs / f"{node}.log"
    return BuildError(
        f"the step ended with exit code {code[1]}" if code else f"the step failed: {failed.error}",
        where=node,
        details=f"{_shortened(command)}\n{_tail(log)}",
        hint=f"its whole output is in {log}",
    )


def _push_failure(failed: Vertex, logs: Path) -> XpubuildError:
    words = failed.error or ""
    if any(sign in words for sign in ("429", "503", "502", "500", "connection refused", "timeout")):
        return TransientError(
            "the image was built, but the registry did not take it",
            details=words,
            hint="run it again: nothing is built anew",
        )
    return BuildError("the image was built, but cannot be pushed", where=str(logs / "rawjson.log"), details=words)


def _fetch_failure(failed: Vertex, logs: Path) -> XpubuildError:
    """BuildKit says `digest mismatch` for every answer that is no file: ask the mirror itself."""
    import httpx

    words = failed.error or ""
    found = _URL.search(failed.name) or _URL.search(words)
    if found is None:
        return _step_failure(failed, logs)
    url = found[0].rstrip(":,")
    file = url.rsplit("/", 1)[-1]
    try:
        status = httpx.get(url, headers={"Range": "bytes=0-0"}, timeout=30, follow_redirects=True).status_code
    except httpx.HTTPError as fault:
        return TransientError(f"the mirror of {file} does not answer: {fault}", where=url)
    if status in _GONE:
        return GoneError(
            f"{file} is no longer on the mirror (it answers {status})",
            where=url,
            hint="run `xpubuild lock --refresh-system` for Debian packages; for wheels name another mirror",
        )
    if status == _BUSY or status >= _FIRST_SERVER_ERROR:
        return TransientError(f"the mirror of {file} is busy (it answers {status})", where=url)
    if status not in _OK:
        return BuildError(f"the mirror refuses {file} (it answers {status})", where=url, hint="see its credentials")
    if "digest mismatch" in words:
        return BuildError(
            f"{file} has other bytes than were locked", where=url, hint="do not trust this mirror", details=words
        )
    return TransientError(f"{file} could not be fetched, though the mirror has it now", where=url, details=words)


def _shortened(command: str) -> str:
    line = " ".join(re.sub(r"--mount=\S+", "", command).split())
    return line if len(line) <= 160 else f"{line[:157]}..."  # noqa: PLR2004 - a terminal's two lines


def _tail(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[-_LINES:])
