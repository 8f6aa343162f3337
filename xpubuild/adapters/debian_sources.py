"""Where does this machine get Debian from? Its own signed sources, third parties left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xpubuild.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
_ONE_LINE = re.compile(r"^deb\s+(?:\[(?P<options>[^]]*)]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)\s+(?P<components>.+)$")


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DebianSource:
    """One signed suite of Debian as this machine reaches it; `scheme` is that of the origins of its files."""

    scheme: str
    base: str
    suite: str
    keyring: str = KEYRING


def machine_sources(root: Path = Path("/")) -> tuple[DebianSource, ...]:
    """Debian's own suites of the running release among apt's sources below `root`.

    Both formats of sources.list(5) are read. What counts as Debian's own: the component `main` of a repository whose
    address ends in /debian or /debian-security.

    Raises:
        MachineError: this is no Debian, or apt has no source of it.
    """
    codename = _codename(root)
    entries = [entry for file in _files(root) for entry in _entries(file)]
    found = {
        DebianSource(scheme=_scheme(uri), base=uri, suite=suite, keyring=keyring)
        for uri, suite, components, keyring in entries
        if "main" in components and uri.rsplit("/", 1)[-1] in {"debian", "debian-security"}
        if re.fullmatch(rf"{codename}(-updates|-security)?", suite)
    }
    if not any(source.scheme == "debian" for source in found):
        raise MachineError(
            f"apt on this machine has no source of Debian {codename}",
            where="/etc/apt/sources.list.d",
            hint="add Debian's own main component to apt's sources",
        )
    return tuple(sorted(found))


def mirrors_of(sources: Iterable[DebianSource]) -> tuple[tuple[str, str], ...]:
    """The base URL of each origin scheme, as `model.site.Site` has them."""
    return tuple(sorted({source.scheme: source.base for source in sources}.items()))


def _scheme(uri: str) -> str:
    return "debian-security" if uri.endswith("-security") else "debian"


def _codename(root: Path) -> str:
    try:
        lines = (root / "etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise MachineError("this machine does not say which system it is", where="/etc/os-release") from fault
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    if values.get("ID", "").strip('"') != "debian":
        raise MachineError("this is no Debian machine", where="/etc/os-release", hint="name an engine with --builder")
    return values["VERSION_CODENAME"].strip('"')


def _files(root: Path) -> Iterator[Path]:
    single = root / "etc/apt/sources.list"
    if single.is_file():
        yield single
    yield from sorted((root / "etc/apt/sources.list.d").glob("*.list"))
    yield from sorted((root / "etc/apt/sources.list.d").glob("*.sources"))


def _entries(file: Path) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """(address, suite, components, keyring) of each enabled binary source of a file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".sources":
        for line in text.splitlines():
            if match := _ONE_LINE.match(line.split("#")[0].strip()):
                options = dict(word.split("=", 1) for word in (match["options"] or "").split() if "=" in word)
                keyring = options.get("signed-by", KEYRING)
                yield match["uri"].rstrip("/"), match["suite"], tuple(match["components"].split()), keyring
        return
    for stanza in re.split(r"\n\s*\n", text):
        fields = _fields(stanza)
        if "deb" in fields.get("types", "").split() and fields.get("enabled", "yes").lower() != "no":
            keyring = fields.get("signed-by", KEYRING)
            for uri in fields.get("uris", "").split():
                for suite in fields.get("suites", "").split():
                    components = tuple(fields.get("components", "").split())
                    yield uri.rstrip("/"), suite, components, keyring if keyring.startswith("/") else KEYRING


def _fields(stanza: str) -> dict[str, str]:
    lines = [line for line in stanza.splitlines() if not line.startswith("#")]
    folded = re.sub(r"\n[ \t]+", " ", "\n".join(lines))
    pairs = (line.split(":", 1) for line in folded.splitlines() if ":" in line)
    return {name.strip().lower(): value.strip() for name, value in pairs}
