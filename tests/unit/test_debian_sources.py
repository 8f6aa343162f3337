"""Debian's own sources are found in every form that apt takes; nobody else's are taken for Debian's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from xpubuild.adapters.debian_sources import DebianSource, machine_sources, mirrors_of
from xpubuild.errors import MachineError

if TYPE_CHECKING:
    from pathlib import Path

MIRROR = "http://mirror.example/debian"
SECURITY = "http://mirror.example/debian-security"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def machine(root: Path, files: dict[str, str], *, system: str = "ID=debian\nVERSION_CODENAME=bookworm\n") -> Path:
    (root / "etc/apt/sources.list.d").mkdir(parents=True)
    (root / "etc/os-release").write_text(system)
    for name, text in files.items():
        (root / "etc/apt" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "etc/apt" / name).write_text(text)
    return root


BOTH = (
    DebianSource(scheme="debian", base=MIRROR, suite="bookworm"),
    DebianSource(scheme="debian", base=MIRROR, suite="bookworm-updates"),
    DebianSource(scheme="debian-security", base=SECURITY, suite="bookworm-security"),
)
DEB822 = f"""\
# the archive
Types: deb deb-src
URIs: {MIRROR}/
Suites: bookworm
 bookworm-updates
Components: main contrib
Signed-By: {KEYRING}

Types: deb
URIs: {SECURITY}
Suites: bookworm-security
Components: main
"""
ONE_LINE = f"""\
deb {MIRROR} bookworm main # the archive
deb [arch=amd64 signed-by={KEYRING}] {MIRROR}/ bookworm-updates main contrib
deb-src {MIRROR} bookworm main
deb {SECURITY} bookworm-security main
"""


@pytest.mark.parametrize(
    "files", [{"sources.list.d/debian.sources": DEB822}, {"sources.list": ONE_LINE}], ids=["deb822", "one line"]
)
def test_both_formats_give_the_same_sources(tmp_path: Path, files: dict[str, str]) -> None:
    assert machine_sources(machine(tmp_path, files)) == BOTH
    assert mirrors_of(BOTH) == (("debian", MIRROR), ("debian-security", SECURITY))


def test_a_list_of_mirrors_gives_its_first_one(tmp_path: Path) -> None:
    """Debian's cloud images name their mirrors in such a file."""
    source = "Types: deb\nURIs: mirror+file:///etc/apt/mirrors/debian.list\nSuites: bookworm\nComponents: main\n"
    files = {"mirrors/debian.list": f"# mirrors\n{MIRROR}\npriority:2\n", "sources.list.d/debian.sources": source}
    assert machine_sources(machine(tmp_path, files)) == BOTH[:1]


THIRD_PARTIES = [
    "deb [signed-by=/etc/apt/keyrings/runner.gpg] https://packages.example/runner/debian bookworm main\n",
    "deb https://packages.example/php bookworm main\n",
    "deb https://packages.example/linux/debian bookworm stable\n",
    "deb https://packages.example/debian bookworm-pgdg main\n",
    "deb cdrom:[Debian 12]/debian bookworm main\n",
    "deb file:/srv/debian bookworm main\n",
]


@pytest.mark.parametrize("line", THIRD_PARTIES)
def test_what_is_not_debians_is_left_out(tmp_path: Path, line: str) -> None:
    assert machine_sources(machine(tmp_path, {"sources.list": ONE_LINE, "sources.list.d/x.list": line})) == BOTH


def test_a_mirror_of_any_address_counts_when_it_is_signed_by_debian(tmp_path: Path) -> None:
    line = f"deb [signed-by={KEYRING}] https://user@cache.example/debian-remote bookworm main\n"
    (found,) = machine_sources(machine(tmp_path, {"sources.list": line}))
    assert found == DebianSource(scheme="debian", base="https://user@cache.example/debian-remote", suite="bookworm")


def test_a_disabled_source_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="no source of Debian bookworm"):
        machine_sources(
            machine(tmp_path, {"sources.list.d/debian.sources": f"Enabled: no\n{DEB822.split('#', maxsplit=1)[0]}"})
        )


@pytest.mark.parametrize("system", ["ID=ubuntu\nVERSION_CODENAME=noble\n", "ID=debian\n"])
def test_another_system_is_named_as_such(tmp_path: Path, system: str) -> None:
    with pytest.raises(MachineError, match="this is no release of Debian"):
        machine_sources(machine(tmp_path, {"sources.list": ONE_LINE}, system=system))
