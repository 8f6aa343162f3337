"""Build an image: bases, render, bake, look at what the registry got."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from xpubuild.errors import BuildError, MachineError
from xpubuild.plan import NOTHING, Plan, plan_for
from xpubuild.ports.builder import BakeRequest
from xpubuild.ports.events import BuildProgressed, Noted
from xpubuild.render import TARGET, rendered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from xpubuild.graph import Graph
    from xpubuild.model.lock import DebianBase
    from xpubuild.model.reference import Repository
    from xpubuild.model.site import Site
    from xpubuild.ports.builder import Baked, Builder
    from xpubuild.ports.engine import Engine, Engines
    from xpubuild.ports.events import Event
    from xpubuild.ports.records import Records
    from xpubuild.ports.registry import Registry, RemoteImage
    from xpubuild.ports.system import Bases, SystemPackages
    from xpubuild.render import Rendered
    from xpubuild.workflows.preparing import Prepared

_DISK_FACTOR = 7.5
"""Bytes of disk for a byte fetched: fetched files, their copies, roots, layers, snapshots, the registry's copy."""
_DISK_LEAST = 2_000_000_000
_WAITING = "another process builds this very image: waiting for it to end"


class Workspace(Protocol):
    """Where build directories and logs lie."""

    def new(self, name: str) -> Path:
        """A new directory for one run."""

    def lay(self, directory: Path, files: Rendered) -> None:
        """Write rendered files."""

    def alone(self, name: str, waiting: Callable[[], None]) -> AbstractContextManager[None]:
        """Let one process at a time be within `name`; `waiting` is called when another one is."""

    def free_bytes(self, place: str) -> int | None:
        """Free bytes of the file system that holds `place`; None when it is not of this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """The ports that building needs."""

    engines: Engines
    bases: Bases
    packages: SystemPackages
    builder: Builder
    registry: Registry
    records: Records
    workspace: Workspace
    site: Callable[[], Site]
    emit: Callable[[Event], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """How to build. `registry` is `host:port` for candidates, None takes the embedded one."""

    builder: str | None = None
    registry: str | None = None
    no_cache: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A candidate. `missed` names nodes for which the plan was wrong; `logs` is None where nothing ran."""

    digest: str
    reference: str
    repository: Repository
    image: RemoteImage
    engine: Engine
    plan: Plan
    missed: tuple[str, ...]
    logs: Path | None


def build(world: Building, prepared: Prepared, order: Order) -> Built:
    """Build what is not yet built, and push the candidate.

    Where the registry holds the image of this key, whole, and the engine has it too, nothing is run: both were asked.

    Raises:
        MachineError: no engine, or too little disk.
        BuildError, GoneError, TransientError: see `ports.builder.Builder.bake`.
    """
    engine = ready_engine(world, order.builder)
    if order.registry is None and not engine.private:
        world.engines.serve_registries()
    with world.workspace.alone(prepared.key[:12], lambda: world.emit(Noted(text=_WAITING))):
        return _build_alone(world, prepared, order, engine=engine)


def _build_alone(world: Building, prepared: Prepared, order: Order, *, engine: Engine) -> Built:
    where = prepared.repository_in(candidate_host(world, order.registry))
    identity = world.builder.identity(engine)
    known = world.records.known(engine=identity, image=image_name(prepared))
    plan = plan_for(prepared.nodes, NOTHING if order.no_cache else known)
    if not order.no_cache and (held := _held(world, prepared, engine=engine, where=where)):
        reference = where.digested(held.digest)
        return Built(
            digest=held.digest, reference=reference, repository=where, image=held, engine=engine,
            plan=plan, missed=(), logs=None,
        )  # fmt: skip
    _refuse_full_disk(world, engine, plan)
    contexts = _contexts(world, prepared)
    reference = where.tagged(prepared.tag)
    directory = world.workspace.new(f"{prepared.composition.lock.release}.{prepared.composition.lock.edition}")
    world.workspace.lay(directory, rendered(prepared.graph, site=world.site(), contexts=contexts, reference=reference))
    request = BakeRequest(
        directory=directory, target=TARGET, logs=directory / "logs", no_cache=order.no_cache,
        sizes=_sizes(prepared.graph),
    )  # fmt: skip
    baked = world.builder.bake(engine, request, lambda state: world.emit(BuildProgressed(state=state)))
    image = _read_back(world, where, tag=prepared.tag, baked=baked)
    missed = missed_forecasts(plan, baked)
    if set(missed) - {step.node.name for step in plan.rebuilt}:
        world.records.forget(engine=identity)
    world.records.remember(prepared.nodes, engine=identity, image=image_name(prepared), seconds=baked.seconds)
    return Built(
        digest=baked.digest, reference=where.digested(baked.digest), repository=where, image=image, engine=engine,
        plan=plan, missed=missed, logs=request.logs,
    )  # fmt: skip


def _sizes(graph: Graph) -> dict[str, int]:
    """Bytes of every file to fetch, by its sha256."""
    return {file.sha256: file.size for fetch in graph.fetches for file in fetch.artifacts}


def rendered_by_hand(world: Building, prepared: Prepared, *, registry: str | None) -> Rendered:
    """What `build` would give to bake, for people who run it themselves. Bases are made, nothing is built."""
    where = prepared.repository_in(candidate_host(world, registry))
    contexts = _contexts(world, prepared)
    return rendered(prepared.graph, site=world.site(), contexts=contexts, reference=where.tagged(prepared.tag))


def candidate_host(world: Building, registry: str | None) -> str:
    """`host:port` of the registry for candidates: the one that was named, else the embedded one for `public`."""
    return registry or world.engines.registries()[0].address


def ready_engine(world: Building, builder: str | None) -> Engine:
    """The engine to build on; the private one is started where there is none."""
    if found := world.engines.find(builder=builder):
        if found.private:
            world.engines.up()
        return found
    world.emit(Noted(text="no usable engine is running: starting the private one"))
    world.engines.up()
    if found := world.engines.find():
        return found
    raise MachineError("the private engine does not answer", hint="see `xpubuild engine status`")


def missed_forecasts(plan: Plan, baked: Baked) -> tuple[str, ...]:
    """The nodes for which plan and engine disagree: rebuilt against the forecast, or cached against it."""
    rebuilt = {step.node.name for step in plan.rebuilt}
    told = {name: cached for name, cached in baked.cached.items() if name in {step.node.name for step in plan.steps}}
    return tuple(sorted(name for name, cached in told.items() if cached == (name in rebuilt)))


def base_contexts(world: Building, bases: Mapping[str, DebianBase]) -> dict[str, str]:
    """The build context of each base, made on this machine where it is not there.

    Raises:
        GoneError: the mirror no longer has some of a base's packages.
        BuildError: the packages gave another base than was locked.
    """
    contexts = {}
    for name, base in bases.items():
        layout = world.bases.layout_of(base.digest)
        if layout is None:
            world.emit(Noted(text=f"making the {name} from {len(base.debs)} locked packages"))
            made = world.bases.make(base.debs, epoch=world.packages.newest(base.debs))
            layout = world.bases.layout_of(base.digest)
            if layout is None:
                raise BuildError(
                    f"the locked packages gave the base {made} on this machine instead of {base.digest}",
                    where=name,
                    hint="compare the versions of mmdebstrap and apt; `xpubuild lock --refresh-system` locks this one",
                )
        contexts[name] = f"oci-layout://{layout}@{base.digest}"
    return contexts


def _contexts(world: Building, prepared: Prepared) -> dict[str, str]:
    composition = prepared.composition
    return base_contexts(world, {"base": composition.lock.base, "builder-base": composition.builder.base})


def _held(world: Building, prepared: Prepared, *, engine: Engine, where: Repository) -> RemoteImage | None:
    """The candidate of this key, when the registry holds every blob of it and the engine has it."""
    image = world.registry.image(where, prepared.tag)
    if image is None or dict(image.labels) != dict(prepared.graph.image.labels):
        return None
    whole = world.registry.holds_all(where, image) and world.builder.holds(engine, where.digested(image.digest))
    return image if whole else None


def _read_back(world: Building, where: Repository, *, tag: str, baked: Baked) -> RemoteImage:
    """The image as the registry has it.

    Raises:
        BuildError: the registry has another image, or not all of it.
    """
    image = world.registry.image(where, tag)
    if image is None or image.digest != baked.digest or not world.registry.holds_all(where, image):
        found = image.digest if image else "nothing"
        raise BuildError(
            f"the engine says it pushed {baked.digest}; the registry has {found}, or not all of its layers",
            where=where.tagged(tag),
            hint="build again; if it stays so, the registry loses data",
        )
    return image


def _refuse_full_disk(world: Building, engine: Engine, plan: Plan) -> None:
    if engine.data_root is None:
        return
    free = world.workspace.free_bytes(engine.data_root)
    needed = int(plan.fetch * _DISK_FACTOR) + _DISK_LEAST
    if free is not None and free < needed:
        raise MachineError(
            f"this build needs about {needed / 1e9:.0f} GB of disk, {free / 1e9:.0f} GB are free",
            where=engine.data_root,
            hint="free some: `docker builder prune` on this engine, or another disk: XPUBUILD_STATE",
        )


def image_name(prepared: Prepared) -> str:
    """Under which name records keep what an image was last made from."""
    lock = prepared.composition.lock
    return "/".join([lock.release, lock.edition, *prepared.composition.only])
