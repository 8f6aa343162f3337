"""How is a lock written as text, and read back?

JSON with one artifact a line, sorted, so that two locks differ in the lines that differ. A digest over the content shows
an edit by hand. Reading and writing are inverse to the byte.
"""

from __future__ import annotations

import difflib
import hashlib
import json
from typing import TYPE_CHECKING, Any, TypeVar

from xpubuild.errors import LockError
from xpubuild.model.artifact import SCHEMES, Artifact, Deb, Origin, Sdist, Wheel
from xpubuild.model.lock import BuilderLock, DebianBase, LocalFile, Lock, Request, SharedPath

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Parsed = TypeVar("_Parsed")
SCHEMA = 1
_LOCK_KEYS = (
    "schema", "digest", "release", "edition", "python", "platform", "epoch", "request", "base", "base-debs", "system",
    "wheels", "sdists", "build", "shared-paths", "files",
)  # fmt: skip
_BUILDER_KEYS = ("schema", "digest", "base", "base-debs", "uv")


def write_lock(lock: Lock) -> str:
    """The text of a lock."""
    request = lock.request
    return _written(
        {
            "release": lock.release,
            "edition": lock.edition,
            "python": lock.python,
            "platform": lock.platform,
            "epoch": lock.epoch,
            "request": {
                "base": request.base,
                "cut-off": request.cut_off,
                "overrides": list(request.overrides),
                "requirements": list(request.requirements),
                "system": list(request.system),
            },
            "base": {"suite": lock.base.suite, "digest": lock.base.digest},
            "base-debs": [_deb(deb) for deb in sorted(lock.base.debs)],
            "system": [_deb(deb) for deb in sorted(lock.system)],
            "wheels": [_wheel(wheel) for wheel in sorted(lock.wheels, key=_by_name)],
            "sdists": [_sdist(sdist) for sdist in sorted(lock.sdists, key=_by_name)],
            "build": [_wheel(wheel) for wheel in sorted(lock.build, key=_by_name)],
            "shared-paths": [
                {"path": shared.path, "distributions": list(shared.distributions), "same": shared.same}
                for shared in sorted(lock.shared_paths, key=lambda shared: shared.path)
            ],
            "files": [{"path": file.path, "sha256": file.sha256} for file in sorted(lock.files, key=lambda f: f.path)],
        }
    )


def write_builder_lock(lock: BuilderLock) -> str:
    """The text of the builder's lock."""
    return _written(
        {
            "base": {"suite": lock.base.suite, "digest": lock.base.digest},
            "base-debs": [_deb(deb) for deb in sorted(lock.base.debs)],
            "uv": [_wheel(lock.uv)],
        }
    )


def lock_digest(text: str) -> str:
    """The digest of a lock, `sha256:…`: that of its text."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def read_lock(text: str, *, where: str) -> Lock:
    """Parse a lock; `where` names its file in errors.

    Raises:
        LockError: no lock, one of another schema, or one that was edited by hand.
    """
    content = _read(text, _LOCK_KEYS, where)
    return _parsed(lambda: _lock_of(content), where)


def read_builder_lock(text: str, *, where: str) -> BuilderLock:
    """Parse the builder's lock.

    Raises:
        LockError: as for `read_lock`.
    """
    content = _read(text, _BUILDER_KEYS, where)
    return _parsed(lambda: BuilderLock(base=_base_of(content), uv=_wheel_of(content["uv"][0])), where)


def _lock_of(content: Mapping[str, Any]) -> Lock:
    request = content["request"]
    return Lock(
        release=content["release"],
        edition=content["edition"],
        python=content["python"],
        platform=content["platform"],
        epoch=content["epoch"],
        request=Request(
            base=request["base"],
            cut_off=request["cut-off"],
            overrides=tuple(request["overrides"]),
            requirements=tuple(request["requirements"]),
            system=tuple(request["system"]),
        ),
        base=_base_of(content),
        system=tuple(_deb_of(item) for item in content["system"]),
        wheels=tuple(_wheel_of(item) for item in content["wheels"]),
        sdists=tuple(_sdist_of(item) for item in content["sdists"]),
        build=tuple(_wheel_of(item) for item in content["build"]),
        shared_paths=tuple(
            SharedPath(path=item["path"], distributions=tuple(item["distributions"]), same=item["same"])
            for item in content["shared-paths"]
        ),
        files=tuple(LocalFile(path=item["path"], sha256=item["sha256"]) for item in content["files"]),
    )


def _by_name(item: Wheel | Sdist) -> tuple[str, str, str]:
    return item.name, item.version, item.artifact.file


def _base_of(content: Mapping[str, Any]) -> DebianBase:
    debs = tuple(_deb_of(item) for item in content["base-debs"])
    return DebianBase(suite=content["base"]["suite"], digest=content["base"]["digest"], debs=debs)


def _artifact(artifact: Artifact) -> dict[str, Any]:
    return {
        "file": artifact.file,
        "size": artifact.size,
        "sha256": artifact.sha256,
        "origin": str(artifact.origin),
    }


def _artifact_of(item: Mapping[str, Any]) -> Artifact:
    scheme, _, path = item["origin"].partition(":")
    if scheme not in SCHEMES:
        raise ValueError(f"unknown origin {item['origin']}")
    return Artifact(file=item["file"], size=item["size"], sha256=item["sha256"], origin=Origin(scheme, path))


def _deb(deb: Deb) -> dict[str, Any]:
    return {
        "name": deb.name,
        "version": deb.version,
        "architecture": deb.architecture,
        **_artifact(deb.artifact),
    }


def _deb_of(item: Mapping[str, Any]) -> Deb:
    return Deb(
        name=item["name"], version=item["version"], architecture=item["architecture"], artifact=_artifact_of(item)
    )


def _wheel(wheel: Wheel) -> dict[str, Any]:
    return {
        "name": wheel.name,
        "version": wheel.version,
        **_artifact(wheel.artifact),
        "contents": wheel.contents,
        "requires": list(wheel.requires),
    }


def _wheel_of(item: Mapping[str, Any]) -> Wheel:
    return Wheel(
        name=item["name"],
        version=item["version"],
        artifact=_artifact_of(item),
        contents=item["contents"],
        requires=tuple(item["requires"]),
    )


def _sdist(sdist: Sdist) -> dict[str, Any]:
    return {
        "name": sdist.name,
        "version": sdist.version,
        **_artifact(sdist.artifact),
        "build": list(sdist.build),
        "requires": list(sdist.requires),
    }


def _sdist_of(item: Mapping[str, Any]) -> Sdist:
    return Sdist(
        name=item["name"],
        version=item["version"],
        artifact=_artifact_of(item),
        build=tuple(item["build"]),
        requires=tuple(item["requires"]),
    )


def _written(content: Mapping[str, Any]) -> str:
    body = {"schema": SCHEMA, "digest": _content_digest(content), **content}
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {_member(value)}" for name, value in body.items()) + "\n}\n"


def _member(value: Any) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in value) + "\n]"
    if isinstance(value, dict):
        return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)


def _content_digest(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _read(text: str, keys: tuple[str, ...], where: str) -> Mapping[str, Any]:
    again = "run `xpubuild lock` to make it anew"
    try:
        content = json.loads(text)
    except ValueError as fault:
        raise LockError(f"this is no lock: {fault}", where=where, hint=again) from fault
    if not isinstance(content, dict):
        raise LockError("this is no lock: it holds no JSON object", where=where, hint=again)
    if content.get("schema") != SCHEMA:
        found = content.get("schema")
        raise LockError(f"the lock has schema {found!r}; this xpubuild reads {SCHEMA}", where=where, hint=again)
    for name in content:
        if name not in keys:
            near = difflib.get_close_matches(name, keys, 1)
            hint = f"did you mean {near[0]}?" if near else again
            raise LockError("unknown key", where=f"{where}: {name}", hint=hint)
    rest = {name: value for name, value in content.items() if name not in {"schema", "digest"}}
    if content.get("digest") != _content_digest(rest):
        raise LockError(
            "the lock was edited by hand: its content does not fit its digest",
            where=f"{where}: digest",
            hint="change the release file or a recipe and run `xpubuild lock`",
        )
    return content


def _parsed(parse: Callable[[], _Parsed], where: str) -> _Parsed:
    try:
        return parse()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as fault:
        raise LockError(
            f"the lock lacks something or holds it in another form: {fault}",
            where=where,
            hint="run `xpubuild lock` to make it anew",
        ) from fault
