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
_MIRROR_LIST = "mirror+file:"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DebianSource:
    """One suite of Debian as this machine reaches it; `scheme` is that of the origins of its files.

    Its signature is held against `keyring`, always one of Debian's own keys, whatever the machine's entry says.
    """

    scheme: str
    base: str
    suite: str
    keyring: str = KEYRING

    @property
    def line(self) -> str:
        """The entry for a sources.list(5)."""
        return f"deb [signed-by={self.keyring} arch=amd64] {self.base} {self.suite} main\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One enabled binary source; `keyring` is None where the entry names no file."""

    uri: str
    suite: str
    components: tuple[str, ...]
    keyring: str | None


def machine_sources(root: Path = Path("/")) -> tuple[DebianSource, ...]:
    """Debian's own suites of the running release among apt's sources below `root`.

    Both formats of sources.list(5) are read, and lists of mirrors, which Debian's cloud images have. What counts as
    Debian's own: component `main`, a suite of the running release, Debian's keyring; where an entry names no keyring,
    its address has to end in /debian or /debian-security.

    Raises:
        MachineError: this is no Debian, or apt has no source of it.
    """
    codename = _codename(root)
    found = {
        DebianSource(scheme=_scheme(entry.suite), base=base, suite=entry.suite)
        for file in _files(root)
        for entry in _entries(file)
        if "main" in entry.components and re.fullmatch(rf"{codename}(-updates|-security)?", entry.suite)
        for base in (_base(entry.uri, root),)
        if base and _is_debians(entry, base)
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


def _scheme(suite: str) -> str:
    return "debian-security" if suite.endswith("-security") else "debian"


def _is_debians(entry: _Entry, base: str) -> bool:
    if entry.keyring is None:
        return base.rsplit("/", 1)[-1] in {"debian", "debian-security"}
    return entry.keyring.rsplit("/", 1)[-1].startswith("debian-archive-")


def _base(uri: str, root: Path) -> str | None:
    """The address of a mirror by HTTP; of a list of mirrors the first one. None: none of the two (cdrom, file, tor)."""
    if uri.startswith(_MIRROR_LIST):
        try:
            text = (root / uri.removeprefix(_MIRROR_LIST).lstrip("/")).read_text(encoding="utf-8")
        except OSError:
            return None
        uri = next((line.split()[0] for line in text.splitlines() if line.strip() and line[0] != "#"), "")
    return uri.rstrip("/") if uri.startswith(("http://", "https://")) else None


def _codename(root: Path) -> str:
    try:
        lines = (root / "etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError as fault:
        raise MachineError("this machine does not say which system it is", where="/etc/os-release") from fault
    values = {name: value.strip('"') for name, _, value in (line.partition("=") for line in lines)}
    if values.get("ID") != "debian" or "VERSION_CODENAME" not in values:
        raise MachineError(
            "this is no release of Debian",
            where="/etc/os-release",
            hint="the private engine and bases are made of Debian's packages; name an engine with --builder or DOCKER_HOST",
        )
    return values["VERSION_CODENAME"]


def _files(root: Path) -> Iterator[Path]:
    single = root / "etc/apt/sources.list"
    if single.is_file():
        yield single
    yield from sorted((root / "etc/apt/sources.list.d").glob("*.list"))
    yield from sorted((root / "etc/apt/sources.list.d").glob("*.sources"))


def _entries(file: Path) -> Iterator[_Entry]:
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix == ".sources":
        for stanza in re.split(r"\n\s*\n", text):
            yield from _stanza_entries(_fields(stanza))
        return
    for line in text.splitlines():
        if match := _ONE_LINE.match(line.split("#")[0].strip()):
            options = dict(word.split("=", 1) for word in (match["options"] or "").split() if "=" in word)
            yield _Entry(
                uri=match["uri"],
                suite=match["suite"],
                components=tuple(match["components"].split()),
                keyring=options.get("signed-by"),
            )


def _stanza_entries(fields: dict[str, str]) -> Iterator[_Entry]:
    if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes").lower() in {"no", "false", "0"}:
        return
    components = tuple(fields.get("components", "").split())
    keyring = fields.get("signed-by")
    keyring = keyring if keyring and keyring.startswith("/") else None
    for uri in fields.get("uris", "").split():
        for suite in fields.get("suites", "").split():
            yield _Entry(uri=uri, suite=suite, components=components, keyring=keyring)


def _fields(stanza: str) -> dict[str, str]:
    lines = [line for line in stanza.splitlines() if not line.startswith("#")]
    folded = re.sub(r"\n[ \t]+", " ", "\n".join(lines))
    pairs = (line.split(":", 1) for line in folded.splitlines() if ":" in line)
    return {name.strip().lower(): value.strip() for name, value in pairs}
