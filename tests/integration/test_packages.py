"""Debian packages as the machine's own mirror serves them: resolved apart from the machine's apt, fetched and verified."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from xpubuild import wiring
from xpubuild.adapters.apt import Apt, UntrustedError
from xpubuild.adapters.debian_sources import DebianSource, machine_sources
from xpubuild.adapters.programs import newest_keyring
from xpubuild.errors import InputError, MachineError, TransientError
from xpubuild.model.artifact import Origin

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.model.artifact import Deb


@pytest.fixture(scope="module")
def minimal() -> tuple[Deb, ...]:
    return wiring.packages().resolve(("python3",), on=())


def elsewhere(**changed: str) -> tuple[DebianSource, ...]:
    return tuple(replace(source, **changed) for source in machine_sources() if source.suite == "bookworm") or tuple(
        replace(source, **changed) for source in machine_sources()[:1]
    )


def test_a_new_system_has_what_was_asked_and_its_essentials(minimal: tuple[Deb, ...]) -> None:
    names = [deb.name for deb in minimal]
    assert names == sorted(names)
    assert {"apt", "dpkg", "libc6", "python3", "python3-minimal"} <= set(names)
    assert {deb.artifact.origin.scheme for deb in minimal} <= {"debian", "debian-security"}
    assert all(deb.artifact.origin.path.startswith("pool/") for deb in minimal)


def test_on_a_system_only_what_it_lacks_is_named(minimal: tuple[Deb, ...]) -> None:
    added = wiring.packages().resolve(("patch",), on=minimal)
    assert [deb.name for deb in added] == ["patch"]
    assert wiring.packages().resolve((), on=minimal) == ()


def test_an_installed_package_that_is_not_the_newest_is_moved(tmp_path: Path) -> None:
    apt = Apt(tmp_path, machine_sources())
    status = b"Package: tzdata\nStatus: install ok installed\nVersion: 2000a-1\nArchitecture: all\nMaintainer: x\n"
    (newest,) = (deb for deb in apt.plan(("tzdata",)) if deb.name == "tzdata")
    assert newest in apt.plan(("tzdata",), status=status)


def test_all_unknown_packages_are_named_at_once() -> None:
    with pytest.raises(InputError, match="Debian has no package no-such-one, no-such-two"):
        wiring.packages().resolve(("no-such-two", "patch", "no-such-one"), on=())


def test_packages_that_exclude_each_other_are_told_in_apts_words(minimal: tuple[Deb, ...]) -> None:
    with pytest.raises(InputError, match="cannot be installed together") as told:
        wiring.packages().resolve(("postfix", "exim4-daemon-light"), on=minimal)
    assert "Conflicts: mail-transport-agent" in (told.value.details or "")


def test_a_mirror_that_does_not_answer_is_worth_another_try(tmp_path: Path) -> None:
    with pytest.raises(TransientError, match="cannot be fetched"):
        Apt(tmp_path, elsewhere(base="http://127.0.0.1:9/debian")).plan(("patch",))


def test_a_suite_that_the_mirror_lacks_is_not(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="does not have this suite"):
        Apt(tmp_path, elsewhere(suite="no-such-suite")).plan(("patch",))


def test_a_source_signed_by_others_is_refused_until_the_newest_keyring_knows_it(tmp_path: Path) -> None:
    old = "/usr/share/keyrings/debian-archive-removed-keys.gpg"
    with pytest.raises(UntrustedError):
        Apt(tmp_path / "apt", elsewhere(keyring=old)).plan(("patch",))
    keyring = newest_keyring(tmp_path, wiring.downloads())
    found = Apt(tmp_path / "apt", elsewhere(keyring=str(keyring))).plan(("patch",))
    assert "patch" in {deb.name for deb in found}


def test_the_machines_own_apt_settings_do_not_count(tmp_path: Path) -> None:
    """A hook of the machine would change the system, a pin of it the answer; proxies and certificates are kept."""
    trace, settings = tmp_path / "trace", tmp_path / "machine.conf"
    settings.write_text(
        f'APT::Update::Post-Invoke {{"touch {trace}";}};\nAPT::Install-Recommends "true";\n'
        'Acquire::http::User-Agent "seen";\nAPT::Default-Release "no-such-release";\n'
    )
    script = (
        "import sys, pathlib; from xpubuild.adapters.apt import Apt;"
        "from xpubuild.adapters.debian_sources import machine_sources;"
        "print(len(Apt(pathlib.Path(sys.argv[1]), machine_sources()).plan(('patch',))))"
    )
    environment = os.environ | {"APT_CONFIG": str(settings), "PYTHONPATH": "."}
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "apt")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not trace.exists()
    assert 'Acquire::http::User-Agent "seen";' in (tmp_path / "apt/apt.conf").read_text()


def test_fetched_files_are_those_that_were_resolved(minimal: tuple[Deb, ...]) -> None:
    wanted = [deb for deb in minimal if deb.name in {"dash", "sed"}]
    files = wiring.packages().fetch(tuple(wanted))
    assert [(file.name, file.stat().st_size) for file in files] == [
        (deb.artifact.file, deb.artifact.size) for deb in wanted
    ]
    assert wiring.packages().newest(tuple(wanted)) > 1_600_000_000


def test_every_package_that_is_gone_is_named(minimal: tuple[Deb, ...], tmp_path: Path) -> None:
    from xpubuild.adapters.downloads import Downloads
    from xpubuild.errors import Faults, GoneError

    gone = [
        replace(deb.artifact, origin=Origin(deb.artifact.origin.scheme, f"pool/main/x/gone/{deb.name}.deb"))
        for deb in minimal[:2]
    ]
    with pytest.raises(Faults) as told:
        Downloads(tmp_path, wiring.site()).fetch(gone)
    assert [type(fault) for fault in told.value.faults] == [GoneError, GoneError]
    assert all("lock --refresh-system" in (fault.hint or "") for fault in told.value.faults)
    assert list(tmp_path.rglob("*.deb")) == []
