"""Which containers test an image, and what does the end of each say?

A check is a value of a recipe. It becomes a container of the candidate that has to print the nonce it was given: a check
that ran nothing does not pass. What needs an accelerator is skipped where there is none, and counts as skipped.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, assert_never

from packaging.utils import canonicalize_name

from xpubuild.errors import InputError, raise_all
from xpubuild.keys import canonical_json, text_digest
from xpubuild.model.recipe import CommandCheck, ImportCheck, ScriptCheck, SignalCheck

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from xpubuild.model.lock import Lock
    from xpubuild.model.recipe import Check, Limits, Need, Recipe

Status = Literal["passed", "failed", "skipped"]
PLACE = "/xpubuild-check"
NO_DEVICE = "no accelerator on this machine"
_LAST_LINES = 15
# The last line of a Python traceback, also as torch's launcher marks it.
_ERROR = re.compile(r"(?:\[rank\d+\]: )?[A-Za-z_][\w.]*(?:Error|Exception): \S")
# A name is part of a container's and a log file's.
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
# Exit codes of a process that a signal ended (128 and its number, signal(7)), and what that often means.
_SIGNALS = {
    130: "SIGINT",
    132: "SIGILL: an instruction that this processor lacks?",
    134: "SIGABRT",
    135: "SIGBUS: is /dev/shm full?",
    136: "SIGFPE",
    137: "SIGKILL",
    139: "SIGSEGV",
    143: "SIGTERM",
}

_IMPORT = """\
import importlib, importlib.metadata, json, os, sys
wanted = json.loads(os.environ["XPUBUILD_CHECK"])
module = importlib.import_module(wanted["module"])
name, locked = wanted["distribution"], wanted["version"]
if name:
    if locked is None:
        sys.exit(f"the lock has no distribution {name}")
    found = importlib.metadata.version(name)
    if found != locked:
        sys.exit(f"{name} {found} is installed, {locked} is locked")
    said = str(getattr(module, "__version__", locked))
    if said.split("+")[0] != locked.split("+")[0]:
        sys.exit(f"{wanted['module']}.__version__ is {said}, {locked} is locked")
    print(name, found, "from", getattr(module, "__file__", None))
print("xpubuild-nonce:", os.environ["XPUBUILD_NONCE"])
"""

# The output goes on as it comes, so that the log of a command that hangs has its last words. The command does not
# inherit the nonce: it cannot vouch for itself.
_COMMAND = """\
import json, os, re, subprocess, sys
wanted = json.loads(os.environ["XPUBUILD_CHECK"])
nonce = os.environ.pop("XPUBUILD_NONCE")
try:
    child = subprocess.Popen(wanted["command"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
except OSError as fault:
    sys.exit(f"the command cannot be started: {fault}")
told = b""
while piece := os.read(child.stdout.fileno(), 1 << 16):
    told += piece
    sys.stdout.buffer.write(piece)
    sys.stdout.flush()
if told and not told.endswith(b"\\n"):
    print(flush=True)
code = child.wait()
if code != wanted["exit_code"]:
    sys.exit(f"exit code {code} instead of {wanted['exit_code']}")
if not re.search(wanted["expects"], told.decode(errors="replace")):
    sys.exit(f"the output does not match {wanted['expects']!r}")
print("xpubuild-nonce:", nonce)
"""

_TELL = 'echo "xpubuild-nonce: $XPUBUILD_NONCE"; exec "$@"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One container to be, all but its image and nonce. `exit_code` is the one expected."""

    name: str
    component: str
    command: tuple[str, ...]
    entrypoint: bool
    environment: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str, int], ...]
    limits: Limits
    needs: frozenset[Need]
    exit_code: int = 0
    signal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """The cases of one image. `digest` is `sha256:…` over all that can decide a result."""

    cases: tuple[Case, ...]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a container ended: `exit_code` None when it was ended; `log` all that it printed."""

    exit_code: int | None
    timed_out: bool
    out_of_memory: bool
    log: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What an ending means; `reason` is empty for `passed`."""

    status: Status
    reason: str


def suite_for(recipes: Iterable[Recipe], lock: Lock, scripts: Mapping[tuple[str, str], str]) -> Suite:
    """The smoke tests of an image that holds these recipes. `scripts` are texts by (component, source).

    Raises:
        InputError: two checks bear one name, or a name is no file name.
    """
    versions: dict[str, str] = {canonicalize_name(wheel.name): wheel.version for wheel in lock.wheels}
    versions |= {canonicalize_name(sdist.name): sdist.version for sdist in lock.sdists}
    texts = _Texts(versions=versions, scripts=scripts)
    cases = tuple(_case(recipe, check, texts) for recipe in recipes for check in recipe.checks)
    raise_all(_name_faults(cases))
    documents: list[Any] = [{**asdict(case), "needs": sorted(case.needs)} for case in cases]
    return Suite(cases=cases, digest=f"sha256:{text_digest(canonical_json(documents))}")


def _name_faults(cases: tuple[Case, ...]) -> Iterator[InputError]:
    owners: dict[str, str] = {}
    for case in cases:
        where = f"recipe {case.component}"
        if not _NAME.fullmatch(case.name):
            yield InputError(f"{case.name!r} is no name of a check", where=where, hint="lower case, digits, - and .")
        if case.name in owners:
            taken = f"the recipe {owners[case.name]} has a check {case.name} already"
            yield InputError(taken, where=where, hint=f"name it {case.component}-…")
        owners.setdefault(case.name, case.component)


def skip_reason(case: Case, *, device: bool) -> str | None:
    """Why a case cannot run here; None when it can."""
    return NO_DEVICE if "device" in case.needs and not device else None


def verdict(case: Case, ending: Ending, nonce: str) -> Verdict:
    """What the end of a case says."""
    if ending.timed_out:
        return _failed(f"timed out after {case.limits.seconds} s", ending)
    if ending.out_of_memory:
        return _failed(f"out of memory: it may use {case.limits.memory / 1e9:.1f} GB", ending)
    skipped = re.search(rf"^xpubuild-skip: {re.escape(nonce)}: (.+)$", ending.log, re.MULTILINE)
    if skipped and case.needs and ending.exit_code == 0:
        return Verdict(status="skipped", reason=skipped[1])
    if ending.exit_code != case.exit_code:
        return _failed(f"exit code {ending.exit_code} instead of {case.exit_code}{_signal_note(ending)}", ending)
    if f"xpubuild-nonce: {nonce}" not in ending.log.splitlines():
        return _failed("it did not print its nonce: it did not run to its end", ending)
    return Verdict(status="passed", reason="")


def _signal_note(ending: Ending) -> str:
    if "Errno 28" in ending.log or "No space left on device" in ending.log:
        return " (no space left: is /dev/shm or the disk full?)"
    meaning = _SIGNALS.get(ending.exit_code or 0)
    return f" ({meaning})" if meaning else ""


def _failed(reason: str, ending: Ending) -> Verdict:
    return Verdict(status="failed", reason=f"{reason}\n{_shown(ending.log)}".rstrip())


def _shown(log: str) -> str:
    """The last lines; before them the first error, where it lies further up: what ends last is often a mere victim."""
    lines = log.splitlines()
    first = next((line for line in lines[:-_LAST_LINES] if _ERROR.match(line)), None)
    return "\n".join([*([first, "…"] if first else []), *lines[-_LAST_LINES:]])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Texts:
    """What checks are held against and made of: locked versions by name, scripts by (component, source)."""

    versions: Mapping[str, str]
    scripts: Mapping[tuple[str, str], str]


def _case(recipe: Recipe, check: Check, texts: _Texts) -> Case:
    match check:
        case ImportCheck():
            name = check.distribution
            wanted = {
                "module": check.module,
                "distribution": name,
                "version": texts.versions.get(canonicalize_name(name or "")),
            }
            return _driven(recipe, check, driver=_IMPORT, wanted=wanted)
        case CommandCheck():
            wanted_command = {"command": check.command, "expects": check.expects, "exit_code": check.exit_code}
            return _driven(recipe, check, driver=_COMMAND, wanted=wanted_command)
        case ScriptCheck():
            place = f"{PLACE}/{check.source.rsplit('/', 1)[-1]}"
            files = ((place, texts.scripts[recipe.component, check.source], 0o755),)
            plain = _plain(recipe, check, (*check.interpreter, place))
            return replace(plain, files=files, entrypoint=check.entrypoint)
        case SignalCheck():
            plain = _plain(recipe, check, ("sh", "-c", _TELL, "check", *check.command))
            return replace(plain, entrypoint=True, exit_code=check.exit_code, signal=check.signal)
        case _:
            assert_never(check)


def _driven(recipe: Recipe, check: Check, *, driver: str, wanted: Mapping[str, Any]) -> Case:
    plain = _plain(recipe, check, ("python", f"{PLACE}/check.py"))
    environment = (("XPUBUILD_CHECK", json.dumps(wanted, sort_keys=True)),)
    return replace(plain, environment=environment, files=((f"{PLACE}/check.py", driver, 0o644),))


def _plain(recipe: Recipe, check: Check, command: tuple[str, ...]) -> Case:
    return Case(
        name=check.name,
        component=recipe.component,
        command=command,
        entrypoint=False,
        environment=(),
        files=(),
        limits=check.limits,
        needs=check.needs,
    )
