"""The Python index: resolved by uv, looked into by Range requests."""

from __future__ import annotations

import email.parser
import io
import json
import tarfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from xpubuild.adapters.downloads import refuse_answer
from xpubuild.adapters.mirrors import http_client
from xpubuild.adapters.remote_zip import open_remote_zip
from xpubuild.errors import BuildError, GoneError, TransientError
from xpubuild.ports.index import Inspected

if TYPE_CHECKING:
    import zipfile
    from pathlib import Path

    import httpx

    from xpubuild.adapters.downloads import Downloads
    from xpubuild.adapters.resolver import Resolver
    from xpubuild.model.artifact import Artifact
    from xpubuild.model.site import Site
    from xpubuild.ports.index import Pin, Question

_UNLISTED = ("RECORD", "RECORD.jws", "RECORD.p7s")
_DEFAULT_BUILD = ("setuptools", "wheel")
"""What PEP 518 has build without a build-system table, and wheel, which setuptools older than 70.1 needs."""


class PythonDistributions:
    """`ports.index.Index`; what files say is kept by their sha256 below `cache`."""

    def __init__(self, site: Site, resolver: Resolver, downloads: Downloads, *, cache: Path) -> None:
        self._site = site
        self._resolver = resolver
        self._downloads = downloads
        self._cache = cache

    def resolve(self, question: Question) -> tuple[Pin, ...]:
        """See the port."""
        return self._resolver.resolve(question)

    def inspect(self, pin: Pin) -> Inspected:
        """See the port."""
        kept = self._cache / f"{pin.file.sha256}.json"
        if kept.is_file():
            return _inspected_of(json.loads(kept.read_text(encoding="utf-8")))
        inspected = self._inspect_wheel(pin) if pin.is_wheel else self._inspect_sdist(pin)
        self._cache.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(_document_of(inspected)), encoding="utf-8")
        return inspected

    def missing(self, artifacts: tuple[Artifact, ...]) -> tuple[Artifact, ...]:
        """See the port."""
        with http_client() as client, ThreadPoolExecutor(8) as pool:
            served = list(pool.map(lambda artifact: self._is_served(client, artifact), artifacts))
        return tuple(artifact for artifact, there in zip(artifacts, served, strict=True) if not there)

    def _is_served(self, client: httpx.Client, artifact: Artifact) -> bool:
        for attempt in Retrying(
            retry=retry_if_exception_type(TransientError),
            stop=stop_after_attempt(4),
            wait=wait_random_exponential(multiplier=0.3, max=5),
            reraise=True,
        ):
            with attempt:
                try:
                    self._ask_for(client, artifact)
                except GoneError:
                    return False
        return True

    def _ask_for(self, client: httpx.Client, artifact: Artifact) -> None:
        import httpx

        try:
            answer = client.head(self._site.url_of(artifact.origin))
        except httpx.TransportError as fault:
            raise TransientError(f"the mirror does not answer: {fault}", where=str(artifact.origin)) from fault
        refuse_answer(answer.status_code, artifact)

    def _inspect_wheel(self, pin: Pin) -> Inspected:
        client = http_client()
        with client, open_remote_zip(client, self._site.url_of(pin.file.origin), pin.file) as archive:
            return inspected_wheel(archive, pin)

    def _inspect_sdist(self, pin: Pin) -> Inspected:
        (path,) = self._downloads.fetch([pin.file])
        with tarfile.open(path) as archive:
            texts = {name: _text(archive, name) for name in archive.getnames() if _tells(name)}
        return inspected_sdist(texts, pin)


def inspected_wheel(archive: zipfile.ZipFile, pin: Pin) -> Inspected:
    """What a wheel says of itself.

    Raises:
        BuildError: METADATA contradicts the file name (PEP 427), or RECORD does not list what the zip holds.
    """
    names = [name for name in archive.namelist() if not name.endswith("/")]
    (folder,) = {name.split("/")[0] for name in names if name.split("/")[0].endswith(".dist-info")}
    metadata = email.parser.BytesParser().parsebytes(archive.read(f"{folder}/METADATA"))
    _refuse_other_name(pin, str(metadata["Name"]), str(metadata["Version"]))
    rows = _record_rows(archive.read(f"{folder}/RECORD").decode())
    unlisted = sorted(set(names) - set(rows) - {f"{folder}/{name}" for name in _UNLISTED})
    absent = sorted(set(rows) - set(names) - {f"{folder}/RECORD"})
    if unlisted or absent:
        details = "\n".join(
            [*(f"not in RECORD: {n}" for n in unlisted[:10]), *(f"not in the zip: {n}" for n in absent[:10])]
        )
        raise BuildError(
            f"the RECORD of {pin.file.file} does not list what the wheel holds",
            where=str(pin.file.origin),
            hint="the wheel was changed after it was built: do not lock it",
            details=details,
        )
    record = tuple(sorted((installed_path(name), digest) for name, digest in rows.items() if digest))
    return Inspected(
        name=pin.name,
        version=str(metadata["Version"]),
        requires=_requires(metadata.get_all("Requires-Dist")),
        record=record,
    )


def inspected_sdist(texts: dict[str, str], pin: Pin) -> Inspected:
    """What an sdist says of itself, from its PKG-INFO, requires.txt and pyproject.toml by their paths."""
    top = min(texts, key=len).split("/")[0]
    metadata = email.parser.Parser().parsestr(texts[f"{top}/PKG-INFO"])
    _refuse_other_name(pin, str(metadata["Name"]), str(metadata["Version"]))
    declared = list(metadata.get_all("Requires-Dist") or [])
    for name, text in texts.items():
        if name.endswith(".egg-info/requires.txt") and not declared:
            declared = [line for line in text.split("\n[")[0].splitlines() if line.strip()]
    project = tomllib.loads(texts.get(f"{top}/pyproject.toml", ""))
    build = tuple(project.get("build-system", {}).get("requires", ())) or _DEFAULT_BUILD
    return Inspected(
        name=pin.name,
        version=str(metadata["Version"]),
        requires=_requires(declared),
        build_requires=tuple(sorted(build)),
    )


def installed_path(name: str) -> str:
    """Where a member of a wheel lies once installed, relative to the prefix; `site/` stands for site-packages."""
    head, _, rest = name.partition("/")
    if not head.endswith(".data"):
        return f"site/{name}"
    kind, _, path = rest.partition("/")
    return {"scripts": f"bin/{path}", "data": path, "headers": f"include/{path}"}.get(kind, f"site/{path}")


def _requires(lines: list[Any] | None) -> tuple[str, ...]:
    return tuple(" ".join(str(line).split()) for line in lines or ())


def _record_rows(text: str) -> dict[str, str]:
    import csv

    return {row[0]: row[1] if len(row) > 1 else "" for row in csv.reader(io.StringIO(text)) if row}


def _refuse_other_name(pin: Pin, name: str, version: str) -> None:
    """The file name, its metadata and the index have to agree (PEP 503, PEP 440)."""
    told = {(canonicalize_name(name), _normal(version)), (canonicalize_name(pin.name), _normal(pin.version))}
    if pin.is_wheel:
        of_file, file_version, _, _ = parse_wheel_filename(pin.file.file)
        told.add((of_file, str(file_version)))
    if len(told) > 1:
        words = " and ".join(f"{name} {version}" for name, version in sorted(told))
        raise BuildError(
            f"{pin.file.file} says of itself both {words}", where=str(pin.file.origin), hint="do not lock it"
        )


def _normal(version: str) -> str:
    try:
        return str(Version(version))
    except InvalidVersion:
        return version


def _tells(name: str) -> bool:
    _, _, rest = name.partition("/")
    return rest in {"PKG-INFO", "pyproject.toml"} or rest.endswith(".egg-info/requires.txt")


def _text(archive: tarfile.TarFile, name: str) -> str:
    member = archive.extractfile(name)
    return member.read().decode(errors="replace") if member else ""


def _document_of(inspected: Inspected) -> dict[str, Any]:
    return {
        "name": inspected.name,
        "version": inspected.version,
        "requires": inspected.requires,
        "record": inspected.record,
        "build_requires": inspected.build_requires,
    }


def _inspected_of(document: dict[str, Any]) -> Inspected:
    return Inspected(
        name=document["name"],
        version=document["version"],
        requires=tuple(document["requires"]),
        record=tuple((path, digest) for path, digest in document["record"]),
        build_requires=tuple(document["build_requires"]),
    )
