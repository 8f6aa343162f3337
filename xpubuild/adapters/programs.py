"""Unpack the engine's programs into a folder of ours. No package of the system changes; removing the folder undoes it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from xpubuild.adapters.debian_sources import KEYRING
from xpubuild.adapters.locks import alone
from xpubuild.adapters.process import require_command, run_command
from xpubuild.errors import InputError, MachineError, XpubuildError
from xpubuild.model.command import Command
from xpubuild.model.site import Site

if TYPE_CHECKING:
    from xpubuild.adapters.downloads import Downloads
    from xpubuild.model.artifact import Deb

ENGINE_PACKAGES = ("containerd", "docker-buildx", "docker-cli", "docker-registry", "docker.io")
"""Taken alone from a newer suite: they run on older C libraries."""

HOST_PACKAGES = ("iproute2", "mmdebstrap", "mount", "runc")
"""Taken from the machine's own suite, with whatever of their dependencies the machine lacks."""

SUITES = {"testing": "tini-static", "stable": "tini"}
"""The suites to try, in their order, each with its package of tini-static."""

_NUMBER = re.compile(r"\b\d+(?:\.\d+)+[\w.+~-]*")
_TRIED = {
    "dockerd": "usr/sbin/dockerd",
    "docker": "usr/bin/docker",
    "containerd": "usr/bin/containerd",
    "docker-buildx": "usr/libexec/docker/cli-plugins/docker-buildx",
    "docker-registry": "usr/bin/docker-registry",
    "runc": "usr/sbin/runc",
    "tini": "usr/bin/tini-static",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """Unpacked programs below `folder`, and their versions as they say them."""

    folder: Path
    versions: tuple[tuple[str, str], ...]

    @property
    def path(self) -> str:
        """PATH for the daemons: ours first, then the machine's."""
        ours = [str(self.folder / place) for place in ("usr/sbin", "usr/bin", "sbin", "bin", "usr/libexec/docker")]
        return ":".join([*ours, "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"])

    @property
    def libraries(self) -> str:
        """LD_LIBRARY_PATH for what was unpacked from the machine's own suite."""
        return f"{self.folder / 'usr/lib/x86_64-linux-gnu'}:{self.folder / 'lib/x86_64-linux-gnu'}"

    @property
    def perl_libraries(self) -> str:
        """PERL5LIB: a small Debian has no more than perl-base."""
        places = ("usr/share/perl5", "usr/share/perl/5.*.*", "usr/lib/x86_64-linux-gnu/perl/5.*.*")
        return ":".join(str(found) for place in places for found in sorted(self.folder.glob(place)))

    def program(self, name: str) -> str:
        """The path of a program that was tried."""
        return str(self.folder / _TRIED[name])


def installed_programs(state: Path) -> Programs | None:
    """The programs that an earlier call unpacked, or None."""
    folder = state / "programs"
    try:
        versions = json.loads((folder / "versions.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return Programs(folder=folder, versions=tuple(sorted(versions.items())))


def lay_client_configuration(state: Path, programs: Programs) -> Path:
    """The DOCKER_CONFIG directory of our own client: it has the buildx that fits, and nothing of the user's."""
    folder = state / "engine" / "docker"
    link = folder / "cli-plugins" / "docker-buildx"
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink() or link.readlink() != Path(programs.program("docker-buildx")):
        link.unlink(missing_ok=True)
        link.symlink_to(programs.program("docker-buildx"))
    return folder


def install_programs(state: Path) -> Programs:
    """Unpack the programs once: the testing suite first, then stable; each is run before it is trusted.

    Raises:
        MachineError: no suite has programs that run here; says what each suite lacked.
        TransientError: Debian's mirror does not answer.
    """
    if found := installed_programs(state):
        return found
    with alone(state / "programs.lock"):
        return installed_programs(state) or _install(state)


def _install(state: Path) -> Programs:
    faults = []
    for suite in SUITES:
        folder = state / f"programs.{suite}"
        try:
            versions = _unpack(state, suite, folder)
        except (InputError, MachineError) as fault:
            faults.append(f"{suite}: {fault}\n{fault.details or ''}".strip())
            shutil.rmtree(folder, ignore_errors=True)
            continue
        (folder / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
        shutil.rmtree(state / "programs", ignore_errors=True)
        folder.replace(state / "programs")
        return Programs(folder=state / "programs", versions=tuple(sorted(versions.items())))
    raise MachineError(
        "no suite of Debian has an engine that runs on this machine",
        hint="name another engine with --builder or DOCKER_HOST",
        details="\n".join(faults),
    )


def _unpack(state: Path, suite: str, folder: Path) -> dict[str, str]:
    from xpubuild.adapters.apt import Apt
    from xpubuild.adapters.debian_sources import machine_sources, mirrors_of
    from xpubuild.adapters.downloads import Downloads

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sources = machine_sources()
    downloads = Downloads(state / "downloads", Site(mirrors=mirrors_of(sources)))
    engine = _offered(state, suite, downloads)
    tools = Apt(state / "apt" / "host", sources).plan(HOST_PACKAGES, status=Path("/var/lib/dpkg/status").read_bytes())
    for file in downloads.fetch(deb.artifact for deb in (*tools, *engine)):
        require_command(Command(argv=("dpkg-deb", "--extract", str(file), str(folder)), seconds=120))
    _link_host_programs(folder)
    return {name: _version_of(folder / place, folder) for name, place in _TRIED.items()}


def _offered(state: Path, suite: str, downloads: Downloads) -> tuple[Deb, ...]:
    """The engine's own packages in a newer suite; where the machine's keyring is too old for it, with the newest one."""
    from xpubuild.adapters.apt import Apt, UntrustedError
    from xpubuild.adapters.debian_sources import machine_sources

    wanted = (*ENGINE_PACKAGES, SUITES[suite])
    newer = tuple(sorted({replace(s, suite=suite) for s in machine_sources() if s.scheme == "debian"}))
    try:
        found = Apt(state / "apt" / suite, newer).plan(wanted)
    except UntrustedError:
        keyring = newest_keyring(state, downloads)
        trusting = tuple(replace(source, keyring=str(keyring)) for source in newer)
        found = Apt(state / "apt" / suite, trusting).plan(wanted)
    return tuple(deb for deb in found if deb.name in wanted)


def newest_keyring(state: Path, downloads: Downloads) -> Path:
    """Debian's keys as the machine's own, trusted suite has them today, which may be newer than the installed ones."""
    from xpubuild.adapters.apt import Apt
    from xpubuild.adapters.debian_sources import machine_sources

    folder = state / "keyring"
    planned = Apt(state / "apt" / "host", machine_sources()).plan(("debian-archive-keyring",))
    (deb,) = (deb for deb in planned if deb.name == "debian-archive-keyring")
    (file,) = downloads.fetch((deb.artifact,))
    require_command(Command(argv=("dpkg-deb", "--extract", str(file), str(folder)), seconds=60))
    return folder / KEYRING.lstrip("/")


def _link_host_programs(folder: Path) -> None:
    """Where the machine has runc itself, apt brings none."""
    place = folder / _TRIED["runc"]
    found = shutil.which("runc")
    if not place.exists() and found:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(found)


def _version_of(program: Path, folder: Path) -> str:
    """What a program says of itself; that it says something shows that it runs here."""
    libraries = f"{folder}/usr/lib/x86_64-linux-gnu:{folder}/lib/x86_64-linux-gnu"
    words = ("version",) if program.name == "docker-buildx" else ("--version",)
    try:
        done = run_command(
            Command(argv=(str(program), *words), environment=(("LD_LIBRARY_PATH", libraries),), seconds=30)
        )
    except XpubuildError as fault:
        raise MachineError(f"{program.name} does not run on this machine: {fault}") from fault
    if done.exit_code:
        details = done.stderr.decode(errors="replace")
        raise MachineError(f"{program.name} does not run on this machine", details=details)
    told = (done.stdout or done.stderr).decode(errors="replace").replace(str(program), "")
    number = _NUMBER.search(told)
    if number is None:
        raise MachineError(f"{program.name} does not say its version", details=told)
    return number[0]
