"""Make base images from exactly the locked .debs, and keep them as OCI image layouts.

Two machines make the same bytes: nothing of the machine gets in, every time is clamped, and the layer is an uncompressed
tar, so that no compressor's version is part of the digest (the engine compresses it at export).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from xpubuild.adapters.leftovers import mounts_below
from xpubuild.adapters.locks import alone
from xpubuild.adapters.process import require_command
from xpubuild.errors import MachineError
from xpubuild.model.command import Command

if TYPE_CHECKING:
    from collections.abc import Callable

    from xpubuild.adapters.programs import Programs
    from xpubuild.model.artifact import Deb

_RECIPE_VERSION = 1
"""Raised when the way a base is made changes its bytes."""

_TRACES = (
    "etc/apt/sources.list", "etc/hostname", "etc/resolv.conf", "etc/machine-id", "var/lib/dbus/machine-id",
    "var/cache/ldconfig/aux-cache", "var/log/alternatives.log", "var/log/bootstrap.log", "var/log/dpkg.log",
    "var/log/apt", "var/lib/apt/lists", "var/lib/apt/extended_states", "var/cache/apt", "var/cache/debconf/*-old",
    "var/lib/dpkg/*-old", "etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "etc/.pwd.lock", "run/*", "tmp/*",
)  # fmt: skip
_NEW = ".new-"
_KEPT = ("var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/log/apt")


_APART = ("setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
"""mmdebstrap mounts /proc, /sys and /dev into what it makes. In namespaces of its own these mounts end with it, however it
ends: clearing its folder away can never reach through them. It ends with us."""

_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
"""All that maintainer scripts see of an environment, whoever calls: Python would else leave byte-code of Debian's tools
that holds times, where it was not told to write none, and other byte-code where it was."""

_IN_MEMORY = 'mount -t tmpfs -o mode=0755 tmpfs "$1" || :; shift; exec "$@"'
"""dpkg waits for the disk after each file: on a busy one that is most of the time (98 s against 43 s here)."""
_ENOUGH_MEMORY = 4_000_000_000


class Fetcher(Protocol):
    """Brings .debs to this machine, verified."""

    def fetch(self, debs: tuple[Deb, ...]) -> tuple[Path, ...]:
        """See `ports.system.SystemPackages.fetch`."""


class DebianBases:
    """`ports.system.Bases` below `directory`, made by mmdebstrap."""

    def __init__(self, directory: Path, packages: Fetcher, programs: Callable[[], Programs]) -> None:
        self._directory = directory
        self._packages = packages
        self._programs = programs

    def layout_of(self, digest: str) -> Path | None:
        """See the port."""
        place = self._directory / digest.replace(":", "-")
        return place if (place / "index.json").is_file() else None

    def make(self, debs: tuple[Deb, ...], *, epoch: int) -> str:
        """See the port.

        Raises:
            MachineError: not root, or mmdebstrap failed; its last words are the details.
        """
        request = _request_digest(debs, epoch)
        if made := self._made(request):
            return made
        if os.geteuid() != 0:
            raise MachineError("only root can make a base image", hint="run as root")
        files = self._packages.fetch(debs)
        # The process that waited finds its own made.
        with alone(self._directory / "lock"):
            return self._made(request) or self._make(request, debs, files, epoch=epoch)

    def _made(self, request: str) -> str | None:
        """The digest that an earlier call gave for the same request, when its layout is still there."""
        try:
            digest = (self._directory / "requests" / request).read_text(encoding="ascii")
        except OSError:
            return None
        return digest if self.layout_of(digest) else None

    def _make(self, request: str, debs: tuple[Deb, ...], files: tuple[Path, ...], *, epoch: int) -> str:
        for stale in self._directory.glob(f"{_NEW}*"):
            if not mounts_below(stale):
                shutil.rmtree(stale, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=self._directory, prefix=_NEW) as folder:
            digest = self._make_layout(Path(folder), debs, files, epoch=epoch)
        memo = self._directory / "requests" / request
        memo.parent.mkdir(exist_ok=True)
        memo.write_text(digest, encoding="ascii")
        return digest

    def _make_layout(self, folder: Path, debs: tuple[Deb, ...], files: tuple[Path, ...], *, epoch: int) -> str:
        (folder / "pool").mkdir()
        index = "\n".join(_stanza(deb, _laid(file, folder / "pool")) for deb, file in zip(debs, files, strict=True))
        (folder / "Packages").write_text(index, encoding="utf-8")
        self._bootstrap(folder, debs, epoch=epoch)
        layout = folder / "layout"
        digest = write_layout(layout, folder / "layer.tar", epoch=epoch)
        place = self._directory / digest.replace(":", "-")
        if not place.exists():
            layout.replace(place)
        return digest

    def _bootstrap(self, folder: Path, debs: tuple[Deb, ...], *, epoch: int) -> None:
        clean = folder / "clean"
        clean.write_text(_cleaning_script(), encoding="utf-8")
        clean.chmod(0o755)
        names = ",".join(f"{deb.name}={deb.version}" for deb in debs)
        programs = self._programs()
        mmdebstrap = shutil.which("mmdebstrap", path=programs.path) or "mmdebstrap"
        environment = {
            "SOURCE_DATE_EPOCH": str(epoch),
            "PATH": programs.path,
            "PERL5LIB": programs.perl_libraries,
            "TMPDIR": str(folder / "work"),
            **_ENVIRONMENT,
        }
        argv = (
            "env", "--ignore-environment", *(f"{name}={value}" for name, value in environment.items()),
            *_APART, *_workplace(folder / "work"), mmdebstrap, "--mode=root", "--variant=apt",
            "--architectures=amd64", "--format=tar", f"--include={names}", f'--customize-hook={clean} "$1"',
            "--quiet", "", str(folder / "layer.tar"), f"deb [trusted=yes] copy://{folder} ./",
        )  # fmt: skip
        require_command(Command(argv=argv, seconds=900))


def _workplace(folder: Path) -> tuple[str, ...]:
    """The words of a command that runs what follows with `folder` in memory, where there is enough of it."""
    folder.mkdir()
    rows = (line.split() for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines())
    available = next((int(row[1]) * 1024 for row in rows if row[0] == "MemAvailable:"), 0)
    return ("sh", "-c", _IN_MEMORY, "sh", str(folder)) if available > _ENOUGH_MEMORY else ()


def write_layout(layout: Path, tar: Path, *, epoch: int) -> str:
    """Turn one tar into an OCI image layout (image specification 1.1); the manifest's digest.

    The tar is moved into the layout. `epoch` in seconds becomes the time of creation.
    """
    blobs = layout / "blobs" / "sha256"
    blobs.mkdir(parents=True)
    with tar.open("rb") as content:
        layer = hashlib.file_digest(content, "sha256").hexdigest()
    size = tar.stat().st_size
    tar.replace(blobs / layer)
    created = datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    configuration = {
        "architecture": "amd64",
        "os": "linux",
        "created": created,
        "config": {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], "Cmd": ["bash"]},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{layer}"]},
        "history": [{"created": created, "created_by": "xpubuild base"}],
    }
    described = _blob(blobs, configuration, "application/vnd.oci.image.config.v1+json")
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": described,
        "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar", "digest": f"sha256:{layer}", "size": size}],
    }
    entry = _blob(blobs, manifest, "application/vnd.oci.image.manifest.v1+json")
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    (layout / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}', encoding="ascii")
    (layout / "index.json").write_text(json.dumps(index), encoding="ascii")
    return str(entry["digest"])


def _blob(blobs: Path, document: dict[str, Any], media_type: str) -> dict[str, Any]:
    content = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    digest = hashlib.sha256(content).hexdigest()
    (blobs / digest).write_bytes(content)
    return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}


def _request_digest(debs: tuple[Deb, ...], epoch: int) -> str:
    request = [_RECIPE_VERSION, epoch, sorted(deb.artifact.sha256 for deb in debs)]
    return hashlib.sha256(json.dumps(request).encode()).hexdigest()


def _laid(file: Path, pool: Path) -> Path:
    place = pool / file.name
    try:
        os.link(file, place)
    except OSError:
        shutil.copyfile(file, place)
    return place


def _stanza(deb: Deb, file: Path) -> str:
    """The package's entry in a repository's index: its own control fields and where the file lies."""
    control = require_command(Command(argv=("dpkg-deb", "--field", str(file)), seconds=60)).stdout.decode()
    place = f"Filename: ./pool/{file.name}\nSize: {deb.artifact.size}\nSHA256: {deb.artifact.sha256}\n"
    return f"{control.rstrip()}\n{place}"


def _cleaning_script() -> str:
    """Remove what tells of this machine or this hour; runs outside of the new system with its path as argument."""
    removed = " ".join(f'"$1"/{trace}' for trace in _TRACES)
    kept = " ".join(f'"$1"/{folder}' for folder in _KEPT)
    return f'#!/bin/sh\nset -eu\nrm -rf {removed}\nmkdir -p {kept}\n: >"$1"/etc/machine-id\n'
