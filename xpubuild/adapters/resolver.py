"""Resolve requirements with uv, under a cut-off date, for the image's platform and no other."""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

from xpubuild.adapters.process import run_command
from xpubuild.errors import InputError, TransientError
from xpubuild.model.artifact import Artifact, Origin
from xpubuild.model.command import Command
from xpubuild.ports.index import Pin

if TYPE_CHECKING:
    from xpubuild.adapters.site import PythonIndex
    from xpubuild.ports.index import Question

_GLIBC = (2, 36)
"""Of Debian 12."""

_UNREACHABLE = re.compile(r"Failed to fetch|error sending request|Connection|timed out|5\d\d ", re.IGNORECASE)
_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


class Resolver:
    """uv against one index, with a cache of its own."""

    def __init__(self, index: PythonIndex, *, cache: Path) -> None:
        self._index = index
        self._cache = cache

    def resolve(self, question: Question) -> tuple[Pin, ...]:
        """See `ports.index.Index.resolve`."""
        with tempfile.TemporaryDirectory(prefix="xpubuild-lock-") as folder:
            place = Path(folder)
            (place / "requirements.in").write_text("\n".join(question.requirements) + "\n", encoding="utf-8")
            (place / "overrides.txt").write_text("\n".join(question.overrides) + "\n", encoding="utf-8")
            self._prefer(place, question)
            done = run_command(self._command(place, question))
            if done.exit_code:
                raise _explained(done.stderr.decode(errors="replace"), question)
            packages = tomllib.loads((place / "pylock.toml").read_text(encoding="utf-8"))["packages"]
        tags = _tags(question.python)
        return tuple(sorted((self._pin(package, tags) for package in packages), key=lambda pin: pin.name))

    def _prefer(self, place: Path, question: Question) -> None:
        """An output file that is already there holds uv's preferences."""
        if question.preferences:
            entries = []
            for preference in question.preferences:
                name, version = preference.split("==", 1)
                entries.append(f'[[packages]]\nname = "{name}"\nversion = "{version}"\n')
            head = 'lock-version = "1.0"\ncreated-by = "xpubuild"\n\n'
            (place / "pylock.toml").write_text(head + "\n".join(entries), encoding="utf-8")

    def _command(self, place: Path, question: Question) -> Command:
        import uv

        machine = f"x86_64-manylinux_{_GLIBC[0]}_{_GLIBC[1]}"
        argv = (
            uv.find_uv_bin(), "pip", "compile", "--quiet", "--no-config", "--no-header",
            "--python-version", question.python, "--python-platform", machine,
            "--exclude-newer", f"{question.cut_off}T00:00:00Z", "--index-url", self._index.url,
            "--override", "overrides.txt", "--format", "pylock.toml", "--output-file", "pylock.toml",
            "--cache-dir", str(self._cache), "requirements.in",
        )  # fmt: skip
        kept = {name: value for name, value in os.environ.items() if name.upper() in _KEPT_VARIABLES}
        cleared = {name: "" for name in os.environ if name.startswith(("UV_", "PIP_"))}
        environment = tuple(sorted((cleared | kept).items()))
        return Command(argv=argv, environment=environment, directory=str(place), seconds=600)

    def _pin(self, package: dict[str, Any], tags: dict[Tag, int]) -> Pin:
        wheels = [
            (rank, wheel) for wheel in package.get("wheels", ()) if (rank := _rank(wheel["url"], tags)) is not None
        ]
        is_wheel = bool(wheels)
        chosen = min(wheels, key=lambda pair: (pair[0], pair[1]["url"]))[1] if is_wheel else package.get("sdist")
        if chosen is None:
            raise InputError(
                f"{package['name']} {package['version']} has neither a wheel for Linux on x86_64 nor an sdist",
                hint="pin another version",
            )
        return Pin(
            name=canonicalize_name(package["name"]),
            version=package["version"],
            file=self._artifact(chosen),
            is_wheel=is_wheel,
        )

    def _artifact(self, file: dict[str, Any]) -> Artifact:
        path = file["url"].removeprefix(f"{self._index.files}/")
        name = path.rsplit("/", 1)[-1]
        return Artifact(file=name, size=file["size"], sha256=file["hashes"]["sha256"], origin=Origin("pypi", path))


def _tags(python: str) -> dict[Tag, int]:
    """The platform's tags with their rank, best first (PEP 425, PEP 600)."""
    major, minor = (int(part) for part in python.split("."))
    platforms = [f"manylinux_2_{minor_glibc}_x86_64" for minor_glibc in range(_GLIBC[1], 4, -1)]
    legacy = {17: "manylinux2014_x86_64", 12: "manylinux2010_x86_64", 5: "manylinux1_x86_64"}
    ordered = [name for platform in platforms for name in (platform, legacy.get(int(platform.split("_")[2]))) if name]
    ordered.append("linux_x86_64")
    tags = [
        *cpython_tags((major, minor), platforms=ordered),
        *compatible_tags((major, minor), f"cp{major}{minor}", ordered),
    ]
    return {tag: rank for rank, tag in reversed(list(enumerate(tags)))}


def _rank(url: str, tags: dict[Tag, int]) -> int | None:
    _, _, _, offered = parse_wheel_filename(url.rsplit("/", 1)[-1])
    return min((tags[tag] for tag in offered if tag in tags), default=None)


def _explained(words: str, question: Question) -> InputError | TransientError:
    """Uv's refusal in a release engineer's words."""
    if _UNREACHABLE.search(words) and "No solution found" not in words:
        return TransientError("the Python index does not answer", details=words.strip())
    demands = re.findall(r"(\S+?==\S+) depends on (\S+?(?:\[[^]]*])?(?:[=<>!~]=?[^\s,]+)?)(?=[\s,])", words)
    wanted = {canonicalize_name(re.split(r"[\[=<>!~ ]", item)[0]): item for item in question.requirements}
    stanzas = []
    for by, demanded in demands:
        name = canonicalize_name(re.split(r"[\[=<>!~ ]", demanded)[0])
        if name in wanted and wanted[name] != demanded and "==" in wanted[name]:
            stanzas.append(
                f"{by} demands {demanded}, the release has {wanted[name]}. To keep the release's version, write:\n\n"
                f'  [[editions.<edition>.overrides]]\n  requirement = "{wanted[name]}"\n'
                f'  against = "{by} demands {demanded}"\n  reason = "why this is right"'
            )
    return InputError(
        "no set of versions fits the release" if not stanzas else "the release contradicts what a distribution demands",
        where="components",
        hint="change a component's version, the cut-off date, or override the demand with a reason",
        details="\n\n".join([*dict.fromkeys(stanzas), words.strip()]),
    )
