"""Ask apt what it would install; of the machine's own configuration only how to reach mirrors counts."""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from xpubuild.adapters.locks import alone
from xpubuild.adapters.process import run_command
from xpubuild.errors import InputError, MachineError, TransientError, XpubuildError
from xpubuild.model.artifact import Artifact, Deb, Origin
from xpubuild.model.command import Command, Completed

if TYPE_CHECKING:
    from xpubuild.adapters.debian_sources import DebianSource

_FRESH_SECONDS = 6 * 3600
_URI = re.compile(r"^'(?P<url>[^']+)' (?P<file>\S+) (?P<size>\d+) SHA256:(?P<sha256>[0-9a-f]{64})$", re.MULTILINE)
_UNKNOWN = re.compile(r"^E: (?:Unable to locate package|Package '?)\s*(?P<name>[^\s']+)", re.MULTILINE)
_UNTRUSTED = ("NO_PUBKEY", "is not signed", "EXPKEYSIG", "BADSIG")
_STALE = "is expired"
_ABSENT = "does not have a Release file"


class Apt:
    """apt with configuration, sources, lists and state below `directory`.

    Args:
        directory: of ours alone; removing it loses nothing.
        sources: the suites to resolve in.
    """

    def __init__(self, directory: Path, sources: tuple[DebianSource, ...]) -> None:
        self._directory = directory
        self._sources = sources

    def plan(self, wanted: tuple[str, ...], *, status: bytes = b"") -> tuple[Deb, ...]:
        """The .debs that apt would fetch to have `wanted` (package names or apt patterns) on a system of `status`.

        `status` is a dpkg status file. Recommended packages are left out. Sorted by name.

        Raises:
            InputError: unknown packages, or packages that cannot be together; apt's own words are the details.
            MachineError: a source cannot be trusted, or a mirror lacks the suite.
            TransientError: the mirror does not answer.
        """
        with alone(self._directory / "lock"):  # apt's lists and caches are shared between its calls
            self._refresh()
            with tempfile.NamedTemporaryFile(dir=self._directory, prefix="status-") as installed:
                installed.write(status)
                installed.flush()
                words = ("install", "--yes", "--print-uris", "--no-install-recommends", "--", *wanted)
                done = self._apt(*words, status=Path(installed.name))
        if done.exit_code:
            raise self._refusal(done)
        return tuple(sorted(self._deb(match) for match in _URI.finditer(done.stdout.decode())))

    def _deb(self, match: re.Match[str]) -> Deb:
        name, version, architecture = unquote(match["file"]).removesuffix(".deb").split("_")
        (source,) = {s.base: s for s in self._sources if match["url"].startswith(f"{s.base}/")}.values()
        path = match["url"].removeprefix(f"{source.base}/")
        artifact = Artifact(
            file=unquote(path.rsplit("/", 1)[-1]),
            size=int(match["size"]),
            sha256=match["sha256"],
            origin=Origin(source.scheme, path),
        )
        return Deb(name=name, version=version, architecture=architecture, artifact=artifact)

    def _refusal(self, done: Completed) -> InputError:
        suites = ", ".join(source.suite for source in self._sources)
        details = "\n".join(_words(done))
        if unknown := sorted({match["name"] for match in _UNKNOWN.finditer(details)}):
            return InputError(
                f"Debian has no package {', '.join(unknown)}",
                where=f"Debian {suites}",
                hint="correct the name in the recipe that lists it",
                details=details,
            )
        return InputError(
            "the Debian packages cannot be installed together",
            where=f"Debian {suites}",
            hint="apt's words name the packages; change the recipe that lists them",
            details=details,
        )

    def _refresh(self) -> None:
        """Fetch the lists of packages when ours are older than some hours or from other sources."""
        stamp = self._directory / "updated"
        text = "".join(source.line for source in self._sources)
        sources = self._directory / "sources.list"
        fresh = stamp.exists() and time.time() - stamp.stat().st_mtime < _FRESH_SECONDS
        if fresh and sources.exists() and sources.read_text(encoding="utf-8") == text:
            return
        for name in ("lists/partial", "cache/archives/partial"):
            (self._directory / name).mkdir(parents=True, exist_ok=True)
        stamp.unlink(missing_ok=True)
        sources.write_text(text, encoding="utf-8")
        done = self._apt("update", "--error-on=any", status=Path("/dev/null"))
        if done.exit_code:
            raise _unfetched(done)
        stamp.touch()

    def _apt(self, *words: str, status: Path) -> Completed:
        configuration = self._directory / "apt.conf"
        configuration.write_text(_configuration(self._directory), encoding="utf-8")
        environment = (("APT_CONFIG", str(configuration)), ("LC_ALL", "C.UTF-8"))
        argv = ("apt-get", "-q", "-o", f"Dir::State::status={status}", *words)
        return run_command(Command(argv=argv, environment=environment, seconds=600))


def _configuration(directory: Path) -> str:
    """A whole apt.conf(5).

    Of the machine's own one only `Acquire` is kept, because proxies, certificates and credentials are there: its hooks
    would change the system, its preferences and default release the answer.
    """
    ours = {
        "Dir::Etc::main": "/dev/null",
        "Dir::Etc::parts": "/dev/null",
        "Dir::Etc::sourcelist": directory / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferences": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "Dir::State": directory,
        "Dir::State::lists": directory / "lists",
        "Dir::Cache": directory / "cache",
        # It is keyed by the time of the status file, of which two can be written within one tick.
        "Dir::Cache::pkgcache": "",
        "APT::Architecture": "amd64",
        "APT::Architectures": "amd64",
        "APT::Sandbox::User": "root",
        "APT::Get::AllowUnauthenticated": "false",
        "Acquire::Languages": "none",
        "Acquire::ForceHash": "SHA256",
        "Acquire::Retries": "3",
    }
    told = run_command(Command(argv=("apt-config", "dump", "--no-empty", "Acquire"), seconds=60))
    machine = (line for line in told.stdout.decode(errors="replace").splitlines() if _is_about_mirrors(line))
    return "\n".join([*machine, *(f'{name} "{value}";' for name, value in ours.items())]) + "\n"


def _is_about_mirrors(line: str) -> bool:
    return line.startswith("Acquire::") and not line.startswith(("Acquire::IndexTargets", "Acquire::Languages"))


def _words(done: Completed) -> list[str]:
    """What apt said, without the files it would have fetched and without its progress."""
    lines = (done.stdout + b"\n" + done.stderr).decode(errors="replace").splitlines()
    noise = ("Reading ", "Building ", "Hit:", "Get:", "Ign:")
    return [line for line in lines if line.strip() and not _URI.match(line) and not line.startswith(noise)]


def _unfetched(done: Completed) -> XpubuildError:
    words = _words(done)
    details = "\n".join(words)
    if any(sign in details for sign in _UNTRUSTED):
        return UntrustedError(
            "a source of Debian packages is not signed by a key that this machine trusts",
            hint="update the package debian-archive-keyring",
            details=details,
        )
    if _STALE in details:
        return MachineError(
            "the mirror's list of Debian packages is out of date",
            hint="use another mirror in apt's sources; apt's setting Acquire::Check-Valid-Until is honoured",
            details=details,
        )
    if _ABSENT in details:
        return MachineError("the mirror does not have this suite", details=details)
    return TransientError(
        "Debian's lists of packages cannot be fetched",
        hint="see whether `apt-get update` works on this machine",
        details=details,
    )


class UntrustedError(MachineError):
    """A source is signed by a key that is not in the keyring."""
