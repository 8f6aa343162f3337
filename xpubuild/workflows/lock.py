"""Resolve what a release asks for, once, into a lock; nothing else resolves."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from xpubuild.composition import closure
from xpubuild.errors import GoneError, LockError, XpubuildError, raise_all
from xpubuild.model.artifact import Sdist, Wheel
from xpubuild.model.lock import BuilderLock, DebianBase, Lock, SharedPath
from xpubuild.model.request import (
    BASE_PACKAGES,
    buildable,
    differences,
    distribution_name,
    edition_of,
    recipes_of,
    request_for,
)
from xpubuild.ports.index import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from xpubuild.model.artifact import Artifact, Deb
    from xpubuild.model.lock import LocalFile, Request
    from xpubuild.model.recipe import Recipe
    from xpubuild.model.release import Edition
    from xpubuild.ports.checkout import Checkout
    from xpubuild.ports.index import Index, Inspected, Pin
    from xpubuild.ports.system import Bases, SystemPackages

PYTHON = "3.11"
PLATFORM = "linux/amd64"
SUITE = "bookworm"
_UV = "uv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Locking:
    """The ports that locking needs."""

    checkout: Checkout
    index: Index
    packages: SystemPackages
    bases: Bases
    write_local: Callable[[Lock | BuilderLock], object]


def lock_release(world: Locking, release: str, edition: str, *, upgrade: tuple[str, ...] = ()) -> Lock:
    """Resolve a release anew, keeping the pins of its present lock but those of `upgrade`, and what Debian still serves.

    Raises:
        InputError: the release cannot be resolved; why, and what to write.
    """
    asked = requested(world.checkout, release, edition)
    request = asked.request
    present = _present(world.checkout, release, edition)
    wheels, sdists, build = _python_part(world.index, request, present, upgrade=upgrade)
    base, system = _system_part(world, request, present)
    return Lock(
        release=release,
        edition=edition,
        python=PYTHON,
        platform=PLATFORM,
        epoch=_epoch(world, request, (*base.debs, *system)),
        request=request,
        base=base,
        system=system,
        wheels=tuple(wheel for wheel, _ in wheels),
        sdists=sdists,
        build=build,
        shared_paths=shared_paths([(wheel.name, told) for wheel, told in wheels]),
        files=world.checkout.local_files(asked.recipes),
    )


def refresh_system(world: Locking, release: str, edition: str) -> Lock:
    """The lock with its Debian packages resolved anew; the base moves only where its own files are gone."""
    present = world.checkout.lock(release, edition)
    base, system = _system_part(world, present.request, replace(present, system=()))
    return replace(present, base=base, system=system, epoch=_epoch(world, present.request, (*base.debs, *system)))


def lock_builder(world: Locking, *, cut_off: str) -> BuilderLock:
    """The builder's lock: a base with Python, and uv as of the day `cut_off`."""
    question = Question(requirements=(_UV,), overrides=(), preferences=(), cut_off=cut_off, python=PYTHON)
    (pin,) = world.index.resolve(question)
    return BuilderLock(base=new_base(world), uv=_wheel(pin, world.index.inspect(pin)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Requested:
    """What an edition asks for today: its request, and its recipes with what they stand on."""

    edition: Edition
    request: Request
    recipes: tuple[Recipe, ...]


def requested(checkout: Checkout, release: str, edition: str) -> Requested:
    """What a release asks for today.

    Raises:
        InputError: there is no such release or edition, or it cannot be built.
    """
    described = checkout.release(release)
    chosen = buildable(described, edition_of(described, edition))
    recipes = recipes_of(described, chosen, checkout.recipes())
    return Requested(edition=chosen, request=request_for(described, chosen, recipes), recipes=closure(recipes))


def refuse_stale(lock: Lock, request: Request, files: tuple[LocalFile, ...]) -> None:
    """Refuse a lock that was made for another request or other files.

    Raises:
        LockError: names each difference.
    """
    changed = list(differences(lock.request, request))
    held = {file.path: file.sha256 for file in lock.files}
    now = {file.path: file.sha256 for file in files}
    changed += [f"files: {path}" for path in sorted({*held, *now}) if held.get(path) != now.get(path)]
    if changed:
        raise LockError(
            "the lock is stale: the release file or a recipe changed since it was made",
            where=f"{lock.release}.{lock.edition}.lock",
            hint=f"run `xpubuild lock {lock.release} --edition {lock.edition}`",
            details="\n".join(changed),
        )


def refuse_gone(lock: Lock, index: Index) -> None:
    """Ask for every locked file.

    Raises:
        GoneError: names each that is no longer served.
    """
    items: Sequence[Any] = (*lock.base.debs, *lock.system, *lock.wheels, *lock.sdists, *lock.build)
    missing = index.missing(tuple(item.artifact for item in items))
    raise_all(
        GoneError(f"{artifact.file} is no longer served", where=str(artifact.origin), hint=_gone_hint(artifact))
        for artifact in missing
    )


def _gone_hint(artifact: Artifact) -> str:
    if artifact.origin.scheme.startswith("debian"):
        return "run `xpubuild lock --refresh-system`"
    return "name a mirror that still has it"


def _present(checkout: Checkout, release: str, edition: str) -> Lock | None:
    try:
        return checkout.lock(release, edition)
    except LockError:
        return None


# --- Python


def _python_part(
    index: Index, request: Request, present: Lock | None, *, upgrade: tuple[str, ...]
) -> tuple[list[tuple[Wheel, Inspected]], tuple[Sdist, ...], tuple[Wheel, ...]]:
    question = Question(
        requirements=request.requirements,
        overrides=request.overrides,
        preferences=_preferences(present, upgrade),
        cut_off=request.cut_off,
        python=PYTHON,
    )
    pins = index.resolve(question)
    told = _among(pins, _inspected(index, pins))
    wheels = [(_wheel(pin, facts), facts) for pin, facts in zip(pins, told, strict=True) if pin.is_wheel]
    sources = [(pin, facts) for pin, facts in zip(pins, told, strict=True) if not pin.is_wheel]
    sdists: list[Sdist] = []
    build: dict[str, Wheel] = {}
    for pin, facts in sources:
        needed = _build_wheels(index, facts, request.cut_off)
        build |= {wheel.artifact.file: wheel for wheel in needed}
        sdists.append(_sdist(pin, facts, needed))
    return wheels, tuple(sdists), tuple(build[file] for file in sorted(build))


def _among(pins: tuple[Pin, ...], told: list[Inspected]) -> list[Inspected]:
    """Keep only the requirements that name a locked distribution: no other can decide anything in the image."""
    names = {pin.name for pin in pins}
    return [
        replace(facts, requires=tuple(line for line in facts.requires if distribution_name(line) in names))
        for facts in told
    ]


def _preferences(present: Lock | None, upgrade: tuple[str, ...]) -> tuple[str, ...]:
    if present is None:
        return ()
    moved = {distribution_name(name) for name in upgrade}
    items: tuple[Wheel | Sdist, ...] = (*present.wheels, *present.sdists)
    return tuple(sorted(f"{item.name}=={item.version}" for item in items if item.name not in moved))


def _inspected(index: Index, pins: tuple[Pin, ...]) -> list[Inspected]:
    """Look into every file, some at a time; all faults at once."""

    def look(pin: Pin) -> Inspected | XpubuildError:
        try:
            return index.inspect(pin)
        except XpubuildError as fault:
            return fault

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(look, pins))
    raise_all(outcome for outcome in outcomes if isinstance(outcome, XpubuildError))
    return [outcome for outcome in outcomes if not isinstance(outcome, XpubuildError)]


def _build_wheels(index: Index, facts: Inspected, cut_off: str) -> tuple[Wheel, ...]:
    question = Question(requirements=facts.build_requires, overrides=(), preferences=(), cut_off=cut_off, python=PYTHON)
    pins = index.resolve(question)
    told = _among(pins, _inspected(index, pins))
    return tuple(_wheel(pin, facts) for pin, facts in zip(pins, told, strict=True))


def _wheel(pin: Pin, facts: Inspected) -> Wheel:
    return Wheel(
        name=pin.name,
        version=facts.version,
        artifact=pin.file,
        requires=facts.requires,
        contents=_contents(facts.record),
    )


def _sdist(pin: Pin, facts: Inspected, build: tuple[Wheel, ...]) -> Sdist:
    files = tuple(sorted(wheel.artifact.file for wheel in build))
    return Sdist(name=pin.name, version=facts.version, artifact=pin.file, requires=facts.requires, build=files)


def _contents(record: tuple[tuple[str, str], ...]) -> str:
    text = "".join(f"{path}\0{digest}\n" for path, digest in sorted(record))
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def shared_paths(records: Iterable[tuple[str, Inspected]]) -> tuple[SharedPath, ...]:
    """The paths that several distributions carry, sorted; `same` where all have the same bytes."""
    owners: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, facts in records:
        for path, digest in facts.record:
            owners[path].append((name, digest))
    return tuple(
        SharedPath(
            path=path,
            distributions=tuple(sorted(name for name, _ in found)),
            same=len({digest for _, digest in found}) == 1,
        )
        for path, found in sorted(owners.items())
        if len(found) > 1
    )


# --- Debian


def new_base(world: Locking) -> DebianBase:
    """A base of what Debian serves today."""
    debs = world.packages.resolve(BASE_PACKAGES, on=())
    return DebianBase(suite=SUITE, digest=world.bases.make(debs, epoch=world.packages.newest(debs)), debs=debs)


def _system_part(world: Locking, request: Request, present: Lock | None) -> tuple[DebianBase, tuple[Deb, ...]]:
    """The base stays while its files are served; system packages stay while theirs are and the request is the same."""
    base = present.base if present and not _gone(world, present.base.debs) else new_base(world)
    kept = present.system if present and present.request.system == request.system and present.base == base else ()
    if kept and not _gone(world, kept):
        return base, kept
    return base, world.packages.resolve(request.system, on=base.debs) if request.system else ()


def _gone(world: Locking, debs: tuple[Deb, ...]) -> bool:
    return bool(world.index.missing(tuple(deb.artifact for deb in debs)))


def _epoch(world: Locking, request: Request, debs: tuple[Deb, ...]) -> int:
    """SOURCE_DATE_EPOCH: the day of the cut-off, or the newest file of the Debian packages where that is later.

    Times are clamped to it. Clamping a source file below its own time would make Debian's byte-code stale.
    """
    day = int(datetime.fromisoformat(request.cut_off).replace(tzinfo=UTC).timestamp())
    return max(day, world.packages.newest(debs))
