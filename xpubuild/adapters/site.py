"""Find out where this site gets its bytes: from the configuration, else from the machine's own clients."""

from __future__ import annotations

import json
import ssl
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from xpubuild.adapters.debian_sources import machine_sources, mirrors_of
from xpubuild.adapters.process import run_command
from xpubuild.errors import MachineError, TransientError
from xpubuild.model.command import Command
from xpubuild.model.site import Site

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.adapters.configuration import Configuration

_SIMPLE = "application/vnd.pypi.simple.v1+json"
_PROBE = "pip"
"""A project that every index has."""


@dataclass(frozen=True, slots=True)
class PythonIndex:
    """The simple repository and the base URL of its files, without trailing slashes."""

    url: str
    files: str


def site_of(configuration: Configuration, *, cache: Path) -> Site:
    """The mirrors of this site; `cache` is a file that spares the questions next time.

    Raises:
        MachineError: the machine has no client that could tell.
        TransientError: the index does not answer.
    """
    mirrors = {"pypi": python_index(configuration, cache=cache).files}
    configured = dict(configuration.mirrors)
    if not {"debian", "debian-security"} <= set(configured):
        mirrors |= dict(mirrors_of(machine_sources()))
    return Site(mirrors=tuple(sorted((mirrors | configured).items())))


def python_index(configuration: Configuration, *, cache: Path) -> PythonIndex:
    """The index of this site."""
    try:
        known = json.loads(cache.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = {}
    asked = [configuration.index_url, configuration.index_files]
    if known.get("asked") == asked:
        return PythonIndex(known["url"], known["files"])
    url = (configuration.index_url or _index_of_pip()).rstrip("/")
    files = (configuration.index_files or _files_of(url)).rstrip("/")
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps({"asked": asked, "url": url, "files": files}), encoding="utf-8")
    return PythonIndex(url, files)


def _index_of_pip() -> str:
    """What pip here takes as its index: its configuration, else its built-in default. Nothing else of it counts."""
    script = (
        "from pip._internal.configuration import Configuration\n"
        "from pip._internal.models.index import PyPI\n"
        "c = Configuration(isolated=False); c.load()\n"
        "values = dict(c.items())\n"
        "flat = {k: v for k, v in values.items() if isinstance(v, str)}\n"
        "for part in values.values(): flat.update(part) if isinstance(part, dict) else None\n"
        "found = [flat.get(k) for k in (':env:.index-url', 'install.index-url', 'global.index-url')]\n"
        "print(next((f for f in found if f), PyPI.simple_url))\n"
    )
    done = run_command(Command(argv=(sys.executable, "-c", script), seconds=60))
    if done.exit_code or not done.stdout.strip():
        raise MachineError(
            "pip cannot tell which index this machine uses",
            hint="name it in the site's configuration file: [index] url",
            details=done.stderr.decode(errors="replace"),
        )
    return done.stdout.decode().split()[-1]


def _files_of(index: str) -> str:
    """Where an index keeps its files: one page of it tells (PEP 691)."""
    import httpx

    page = f"{index}/{_PROBE}/"
    try:
        trusted = ssl.create_default_context()
        answer = httpx.get(page, headers={"Accept": _SIMPLE}, timeout=60, follow_redirects=True, verify=trusted)
        answer.raise_for_status()
        url = urljoin(str(answer.url), answer.json()["files"][0]["url"])
    except httpx.HTTPError as fault:
        raise TransientError(f"the Python index does not answer: {fault}", hint="is the network there?") from fault
    except (ValueError, LookupError) as fault:
        raise MachineError(
            "the Python index does not speak the simple API in JSON (PEP 691)",
            hint="name the base URL of its files in the site's configuration: [index] files",
        ) from fault
    return str(url).partition("/packages/")[0]
