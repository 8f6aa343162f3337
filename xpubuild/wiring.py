"""Construct the adapters out of this machine's environment; nothing else reads it."""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from xpubuild.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from xpubuild.adapters.bases import DebianBases
    from xpubuild.adapters.buildx import Buildx
    from xpubuild.adapters.checkout import DirectoryCheckout
    from xpubuild.adapters.configuration import Configuration
    from xpubuild.adapters.downloads import Downloads
    from xpubuild.adapters.engine import HostEngines
    from xpubuild.adapters.index import PythonDistributions
    from xpubuild.adapters.records import SqliteRecords
    from xpubuild.adapters.registry import HttpRegistry
    from xpubuild.adapters.system_packages import AptPackages
    from xpubuild.checks import Suite
    from xpubuild.model.site import Site
    from xpubuild.ports.engine import Engine
    from xpubuild.ports.events import Event
    from xpubuild.workflows.build import Building
    from xpubuild.workflows.lock import Locking
    from xpubuild.workflows.preparing import Prepared
    from xpubuild.workflows.smoke import Testing

DEFAULT_PORTS = (5077, 5078)
DEFAULT_PATIENCE = 120.0


def state_directory() -> Path:
    """Where everything lies that can be made again: XPUBUILD_STATE, else /var/lib/xpubuild, for others than root ~."""
    if named := os.environ.get("XPUBUILD_STATE"):
        return Path(named).resolve()
    if os.geteuid() == 0:
        return Path("/var/lib/xpubuild")
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "xpubuild"


@cache
def configuration() -> Configuration:
    """The site's configuration: XPUBUILD_CONFIG, else /etc/xpubuild.toml."""
    from xpubuild.adapters.configuration import read_configuration

    return read_configuration(Path(os.environ.get("XPUBUILD_CONFIG") or "/etc/xpubuild.toml"))


@cache
def checkout() -> DirectoryCheckout:
    """The checkout at or above the current folder, or XPUBUILD_CHECKOUT."""
    from xpubuild.adapters.checkout import DirectoryCheckout, find_checkout

    root = find_checkout(Path(os.environ.get("XPUBUILD_CHECKOUT") or Path.cwd()).resolve())
    return DirectoryCheckout(root, local=state_directory() / "locks")


@cache
def engines() -> HostEngines:
    """Engines of this machine."""
    from xpubuild.adapters.engine import HostEngines

    return HostEngines(
        state_directory(),
        checkout().root / "buildkit",
        ports=_ports(os.environ.get("XPUBUILD_REGISTRY_PORTS")),
        docker_host=os.environ.get("DOCKER_HOST") or None,
    )


def _ports(text: str | None) -> tuple[int, int]:
    if not text:
        return DEFAULT_PORTS
    try:
        first, second = (int(part) for part in text.split(","))
    except ValueError as fault:
        raise InputError(
            f"{text!r} are no two ports", where="XPUBUILD_REGISTRY_PORTS", hint="as in 5077,5078"
        ) from fault
    return first, second


@cache
def site() -> Site:
    """Where this site gets its bytes."""
    from xpubuild.adapters.site import site_of

    return site_of(configuration(), cache=state_directory() / "site.json")


@cache
def downloads() -> Downloads:
    """The cache of fetched files."""
    from xpubuild.adapters.downloads import Downloads

    return Downloads(state_directory() / "downloads", site())


@cache
def packages() -> AptPackages:
    """Debian packages."""
    from xpubuild.adapters.apt import Apt
    from xpubuild.adapters.debian_sources import machine_sources
    from xpubuild.adapters.system_packages import AptPackages

    return AptPackages(Apt(state_directory() / "apt" / "host", machine_sources()), downloads())


@cache
def bases() -> DebianBases:
    """Bases made on this machine."""
    from xpubuild.adapters.bases import DebianBases
    from xpubuild.adapters.programs import install_programs

    return DebianBases(state_directory() / "bases", packages(), lambda: install_programs(state_directory()))


@cache
def index() -> PythonDistributions:
    """The Python index."""
    from xpubuild.adapters.index import PythonDistributions
    from xpubuild.adapters.resolver import Resolver
    from xpubuild.adapters.site import python_index

    state = state_directory()
    resolver = Resolver(python_index(configuration(), cache=state / "site.json"), cache=state / "uv")
    return PythonDistributions(site(), resolver, downloads(), cache=state / "index")


@cache
def records() -> SqliteRecords:
    """What is remembered of earlier builds."""
    from xpubuild.adapters.records import SqliteRecords

    return SqliteRecords(state_directory() / "records.sqlite")


@cache
def registry() -> HttpRegistry:
    """Registries."""
    from xpubuild.adapters.registry import HttpRegistry

    return HttpRegistry()


def buildx() -> Buildx:
    """BuildKit."""
    from xpubuild.adapters.buildx import Buildx

    return Buildx(patience=_patience(os.environ.get("XPUBUILD_PATIENCE")))


def _patience(text: str | None) -> float:
    """For how many seconds what is busy is asked again."""
    try:
        return float(text) if text else DEFAULT_PATIENCE
    except ValueError as fault:
        raise InputError(f"{text!r} is no number of seconds", where="XPUBUILD_PATIENCE") from fault


def today() -> str:
    """Today in UTC, as an ISO 8601 date."""
    return datetime.now(UTC).date().isoformat()


def testing(engine: Engine, emit: Callable[[Event], None]) -> Testing:
    """What testing needs, on one engine."""
    from xpubuild.adapters.containers import DockerContainers
    from xpubuild.adapters.results import ResultFiles
    from xpubuild.workflows.smoke import Testing

    return Testing(
        containers=DockerContainers(engine),
        results=ResultFiles(state_directory() / "results"),
        nonce=lambda: secrets.token_hex(8),
        emit=emit,
    )


def suite(prepared: Prepared) -> Suite:
    """The smoke tests of an image."""
    from xpubuild.checks import suite_for

    return suite_for(prepared.recipes, prepared.composition.lock, checkout().scripts(prepared.recipes))


def locking() -> Locking:
    """What locking needs."""
    from xpubuild.workflows.lock import Locking

    return Locking(
        checkout=checkout(), index=index(), packages=packages(), bases=bases(), write_local=checkout().write_local
    )


def building(emit: Callable[[Event], None]) -> Building:
    """What building needs."""
    from xpubuild.adapters.workspace import RunDirectories
    from xpubuild.workflows.build import Building

    return Building(
        engines=engines(),
        bases=bases(),
        packages=packages(),
        builder=buildx(),
        registry=registry(),
        records=records(),
        workspace=RunDirectories(state_directory() / "builds"),
        site=site,
        emit=emit,
    )
