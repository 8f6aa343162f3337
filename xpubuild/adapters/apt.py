"""Ask apt about Debian, with a configuration of our own: the machine's packages and lists stay as they are."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING
from urllib.parse import unquote

from xpubuild.adapters.process import run_command
from xpubuild.errors import InputError, TransientError
from xpubuild.model.artifact import Artifact, Deb, Origin
from xpubuild.model.command import Command, Completed

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.adapters.debian_sources import DebianSource

_FRESH_SECONDS = 6 * 3600
_URI = re.compile(r"^'(?P<url>[^']+)' (?P<file>\S+) (?P<size>\d+) SHA256:(?P<sha256>[0-9a-f]{64})$", re.MULTILINE)


class Apt:
    """apt with sources, lists and state below `directory`; resolves against the installed packages it is given."""

    def __init__(self, directory: Path, sources: tuple[DebianSource, ...]) -> None:
        self._directory = directory
        self._sources = sources

    def plan(self, wanted: tuple[str, ...], *, status: bytes = b"", recommends: bool = False) -> tuple[Deb, ...]:
        """The .debs that apt would fetch to have `wanted` (package names or apt patterns) on a system of `status`.

        `status` is a dpkg status file. Sorted by name.

        Raises:
            InputError: unknown packages, or packages that cannot be together; apt's own words are the details.
            TransientError: the mirror does not answer.
        """
        self._refresh()
        (self._directory / "status").write_bytes(status)
        options = () if recommends else ("--no-install-recommends",)
        done = self._apt("install", "--yes", "-qq", "--print-uris", *options, "--", *wanted)
        if done.exit_code:
            raise InputError(
                "apt finds no way to install the Debian packages",
                where=f"recipes: system ({', '.join(source.suite for source in self._sources)})",
                hint="apt's words name the package; correct it in the recipe that lists it",
                details=done.stderr.decode(errors="replace").strip(),
            )
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

    def _refresh(self) -> None:
        """Fetch the lists of packages when ours are older than some hours."""
        stamp = self._directory / "updated"
        text = "".join(
            f"deb [signed-by={source.keyring} arch=amd64] {source.base} {source.suite} main\n"
            for source in self._sources
        )
        sources = self._directory / "sources.list"
        fresh = stamp.exists() and time.time() - stamp.stat().st_mtime < _FRESH_SECONDS
        if fresh and sources.exists() and sources.read_text() == text:
            return
        for name in ("lists/partial", "cache/archives/partial", "preferences.d"):
            (self._directory / name).mkdir(parents=True, exist_ok=True)
        sources.write_text(text)
        (self._directory / "status").write_bytes(b"")
        done = self._apt("update", "-qq", "--error-on=any")
        if done.exit_code:
            raise TransientError(
                "Debian's lists of packages cannot be fetched",
                hint="see whether `apt-get update` works on this machine",
                details=done.stderr.decode(errors="replace").strip(),
            )
        stamp.touch()

    def _apt(self, *words: str) -> Completed:
        options = {
            "Dir::State": self._directory,
            "Dir::State::lists": self._directory / "lists",
            "Dir::State::status": self._directory / "status",
            "Dir::Cache": self._directory / "cache",
            "Dir::Etc::sourcelist": self._directory / "sources.list",
            "Dir::Etc::sourceparts": "-",
            "Dir::Etc::preferences": "-",
            "Dir::Etc::preferencesparts": "-",
            "APT::Architecture": "amd64",
            "APT::Architectures": "amd64",
            "APT::Sandbox::User": "root",
            "APT::Get::AllowUnauthenticated": "false",
            "Acquire::Languages": "none",
            "Acquire::ForceHash": "SHA256",
            "Acquire::Retries": "3",
        }
        settings = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        return run_command(
            Command(argv=("apt-get", *settings, *words), environment=(("LC_ALL", "C.UTF-8"),), seconds=600)
        )
