"""A base is made of its packages alone: no caller, machine, folder or hour changes a byte of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT
from xpubuild import wiring
from xpubuild.adapters.bases import DebianBases
from xpubuild.adapters.leftovers import mounts_below
from xpubuild.errors import GoneError, XpubuildError, leaves_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xpubuild.model.artifact import Deb
    from xpubuild.ports.engine import Engine

pytestmark = pytest.mark.engine

MAKE = """
import sys
from pathlib import Path
from xpubuild import wiring
from xpubuild.adapters.bases import DebianBases
from xpubuild.adapters.programs import install_programs
from tests.integration.test_bases import served
debs, _ = served()
bases = DebianBases(Path(sys.argv[1]), wiring.packages(), lambda: install_programs(wiring.state_directory()))
print(bases.make(debs, epoch=wiring.packages().newest(debs)))
"""


def served() -> tuple[tuple[Deb, ...], str]:
    """The packages of the builder's base and its digest; where mirrors have forgotten some, as they are served today."""
    base = wiring.checkout().builder_lock().base
    try:
        wiring.packages().fetch(base.debs)
    except XpubuildError as fault:
        if not all(isinstance(leaf, GoneError) for leaf in leaves_of(fault)):
            raise
        debs = wiring.packages().resolve(tuple(deb.name for deb in base.debs), on=())
        return debs, wiring.bases().make(debs, epoch=wiring.packages().newest(debs))
    return base.debs, base.digest


def command(folder: Path, *, umask: str = "022") -> list[str]:
    return ["sh", "-c", f'umask {umask}; exec "$@"', "sh", sys.executable, "-c", MAKE, str(folder)]


def bare(**more: str) -> dict[str, str]:
    """An environment that has nothing of this one but where things lie."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(("XPUBUILD_", "SSL_CERT_"))}
    return {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/", "PYTHONPATH": str(ROOT)} | kept | more


@pytest.fixture(scope="module")
def made(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The builder's base, made as unlike the committed one as a caller can: (its folder, its digest)."""
    assert engine
    folder = tmp_path_factory.mktemp("another") / "place"
    done = subprocess.run(
        command(folder, umask="077"), cwd=ROOT, env=bare(TZ="Asia/Shanghai", PYTHONHASHSEED="7", LANG="C"),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    yield folder, done.stdout.strip()
    shutil.rmtree(folder)


def layer_of(folder: Path, digest: str) -> Path:
    blobs = folder / digest.replace(":", "-") / "blobs/sha256"
    manifest = json.loads((blobs / digest.removeprefix("sha256:")).read_text())
    (layer,) = manifest["layers"]
    assert layer["mediaType"] == "application/vnd.oci.image.layer.v1.tar"
    return blobs / str(layer["digest"]).removeprefix("sha256:")


def test_another_caller_makes_the_locked_digest(made: tuple[Path, str]) -> None:
    assert made[1] == served()[1]


def test_nothing_of_this_machine_and_hour_is_inside(made: tuple[Path, str]) -> None:
    debs, _ = served()
    epoch = wiring.packages().newest(debs)
    mirrors = {base.encode() for _, base in wiring.site().mirrors}
    with tarfile.open(layer_of(*made)) as layer:
        members = {member.name.removeprefix("./"): member for member in layer}
        texts = {name: _content(layer, member) for name, member in members.items()}
    assert [name for name, member in members.items() if member.mtime > epoch] == []
    assert not {"etc/hostname", "etc/resolv.conf", "etc/apt/sources.list", "var/log/dpkg.log"} & set(members)
    assert members["etc/machine-id"].size == 0
    told = [name for name, text in texts.items() if str(made[0]).encode() in text or b"mmdebstrap" in text]
    assert told == []
    assert [name for name, text in texts.items() if name.startswith("etc/") and any(m in text for m in mirrors)] == []


def _content(layer: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = layer.extractfile(member) if member.isfile() else None
    return file.read() if file else b""


def test_its_byte_code_holds_no_times(made: tuple[Path, str]) -> None:
    """PEP 552: bit 0 of the flags says that a hash of the source decides, not its time."""
    with tarfile.open(layer_of(*made)) as layer:
        compiled = {m.name: _content(layer, m)[4] for m in layer if m.name.endswith(".pyc")}
    assert compiled
    assert [name for name, flags in compiled.items() if not flags & 1] == []


def test_the_same_request_is_made_once(made: tuple[Path, str]) -> None:
    folder, digest = made
    debs, _ = served()
    bases = DebianBases(folder, wiring.packages(), _never)
    assert bases.make(debs, epoch=wiring.packages().newest(debs)) == digest
    assert bases.layout_of(digest) == folder / digest.replace(":", "-")
    assert bases.layout_of("sha256:" + "0" * 64) is None


def _never() -> object:
    raise AssertionError("nothing has to be made")


def test_one_that_is_killed_leaves_no_process_and_no_mount(engine: Engine, tmp_path: Path) -> None:
    assert engine
    running = subprocess.Popen(command(tmp_path), cwd=ROOT, env=bare(), stdout=subprocess.DEVNULL)
    assert _within(60, lambda: any("mmdebstrap" in line for line in _processes(tmp_path)))
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    assert _within(20, lambda: _processes(tmp_path) == [])
    assert mounts_below(tmp_path) == ()


def _processes(folder: Path) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if f"{folder}/.new-" in line:
            found.append(line)
    return found


def _within(seconds: float, holds: object) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if callable(holds) and holds():
            return True
        time.sleep(0.05)
    return False
