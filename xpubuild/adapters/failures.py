"""Why did a build fail? From BuildKit's events to an error that names the step and its own words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from xpubuild.adapters.mirrors import shown, why_not_fetched
from xpubuild.errors import BuildError, MachineError, TransientError, XpubuildError
from xpubuild.progress import EXPORT, first_failure, node_of

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.progress import Building, Vertex

_LINES = 20
_LONGEST = 160
_KILLED = "137"
_URL = re.compile(r"https?://[^\s\"]+")
_FULL = "no space left on device"
_LOST = (
    "failed to receive status", "error reading from server", "transport is closing", "code = Unavailable",
    "Cannot connect to the Docker daemon", "connection refused", "broken pipe", "unexpected EOF",
)  # fmt: skip
_NO_CLIENT = "setpriv: failed to execute"
_UNTRUSTED = ("x509:", "certificate signed by unknown authority")
_PUSH = re.compile(r"failed to push (?P<reference>\S+?): (?P<why>.*)", re.DOTALL)
_STATUS = re.compile(r": (\d{3}) [A-Z]")
_REFUSED = ("401", "403")
_REFUSING = ("denied", "unauthorized", "insufficient_scope", "authorization failed")
_BUSY = ("429", "500", "502", "503", "504")
_PASSING = (
    "toomanyrequests", "connection refused", "connection reset", "i/o timeout", "TLS handshake timeout", "no such host",
    "EOF", "broken pipe", "blob upload unknown", "blob upload invalid", "blob unknown to registry", "unknown blob",
)  # fmt: skip


def explain(state: Building, others: list[str], *, logs: Path, data_root: str | None) -> XpubuildError:
    """The error for a bake that failed; `others` are the lines of its output that are no events."""
    failed = first_failure(state)
    tail = _tail(logs, failed) if failed else ""
    if any(_FULL in words.lower() for words in ((failed.error or "") if failed else "", tail, _verdict(others))):
        return _full(failed, tail, data_root)
    if failed is None:
        return _without_step(others, logs)
    if " ADD " in failed.name and (found := _URL.search(failed.name)):
        return _fetch_failure(found[0], failed.error or "")
    if node_of(failed.name) == EXPORT:
        return _export_failure(failed, logs)
    return _step_failure(failed, logs, tail)


def _full(failed: Vertex | None, tail: str, data_root: str | None) -> XpubuildError:
    node = node_of(failed.name) if failed else None
    return MachineError(
        "the disk is full" if node is None else f"the disk became full in {node}",
        where=data_root or "the engine's data",
        details=tail or None,
        hint="free some: `docker builder prune` on this engine, or `xpubuild engine status` to see what it holds",
    )


def _without_step(others: list[str], logs: Path) -> XpubuildError:
    """No step failed: the engine went away, or buildx did not get as far as steps."""
    verdict = _verdict(others)
    if any(sign in verdict for sign in _LOST):
        return MachineError(
            "the engine went away during the build",
            hint="see `xpubuild engine status`; what was built is kept",
            details=verdict,
        )
    if _NO_CLIENT in verdict:
        return MachineError("the docker client cannot be run", details=verdict, hint="see `xpubuild engine status`")
    return BuildError("the build failed before any step", where=str(logs / "rawjson.log"), details=verdict)


def _verdict(others: list[str]) -> str:
    """What buildx says at the end, without its own wrapping and the excerpt of a Dockerfile that nobody wrote by hand."""
    marked = [place for place, line in enumerate(others) if line.startswith("ERROR: ")]
    lines = others[marked[0] :] if marked else others[-_LINES:]
    return re.sub(r"^ERROR: (failed to build: )?(failed to solve: )?", "", shown("\n".join(lines).strip()))


def _step_failure(failed: Vertex, logs: Path, tail: str) -> XpubuildError:
    error = shown(failed.error or "")
    code = re.search(r"exit code: (\d+)", error)
    log = _log(logs, failed)
    if code is None:
        brief, said = "the step failed", error
    elif code[1] == _KILLED:
        brief, said = "the step was killed (exit code 137), most likely because memory ran out", tail
    else:
        brief, said = f"the step ended with exit code {code[1]}", tail
    return BuildError(
        brief,
        where=node_of(failed.name) or "buildkit",
        details=f"{_shortened(failed.name)}\n{said}".rstrip(),
        hint=f"its whole output is in {log}" if log.exists() else f"see {logs / 'rawjson.log'}",
    )


def _fetch_failure(url: str, told: str) -> XpubuildError:
    if any(sign in told for sign in _UNTRUSTED):
        return MachineError(
            "the engine does not trust the mirror's certificate",
            where=shown(url),
            details=shown(told),
            hint="give the certificate authority of this network to the engine's machine, and restart the engine",
        )
    return why_not_fetched(url, told)


def _export_failure(failed: Vertex, logs: Path) -> XpubuildError:
    error = failed.error or ""
    push = _PUSH.search(error)
    if push is None:
        return BuildError("the image was built, but not exported", where=str(logs / "rawjson.log"), details=error)
    registry, why = push["reference"].split("/", 1)[0], push["why"]
    status = (_STATUS.findall(why) or [""])[-1]
    if status in _BUSY or any(sign in why for sign in _PASSING):
        return TransientError(
            f"the image was built, but the registry {registry} does not take it now",
            where=push["reference"],
            details=why,
            hint="is the registry there? Run it again then: nothing is built anew",
        )
    if status in _REFUSED or any(sign in why for sign in _REFUSING):
        return BuildError(
            f"the image was built, but the registry {registry} refuses it",
            where=push["reference"],
            details=why,
            hint=f"log in to {registry} with an account that may push there",
        )
    return BuildError(
        f"the image was built, but cannot be pushed to the registry {registry}", where=push["reference"], details=why
    )


def _shortened(vertex: str) -> str:
    """The command of a step in one line, without mounts, its end left out where it is long."""
    line = " ".join(re.sub(r"--(mount|network)=\S+", "", shown(vertex).split("] ", 1)[-1]).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _log(logs: Path, failed: Vertex) -> Path:
    return logs / f"{node_of(failed.name) or 'buildkit'}.log"


def _tail(logs: Path, failed: Vertex) -> str:
    try:
        lines = _log(logs, failed).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[-_LINES:])
