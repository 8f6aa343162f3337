"""How do a release, its recipes and its lock become a graph?"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xpubuild.errors import InputError, XpubuildError, raise_all
from xpubuild.graph import (
    PREFIX,
    Base,
    Builder,
    BuiltWheel,
    Fetch,
    Graph,
    Image,
    Node,
    Root,
    Script,
    SystemRoot,
    Verify,
    build_wheels_of,
    graph_of,
)
from xpubuild.keys import canonical_json, keyed, text_digest
from xpubuild.layers import ordered
from xpubuild.model.request import distribution_name
from xpubuild.ownership import SHARED, Owned, owned_by, trespasses

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from xpubuild.model.artifact import Sdist, Wheel
    from xpubuild.model.lock import BuilderLock, Lock
    from xpubuild.model.recipe import File, Generated, Recipe
    from xpubuild.model.release import Override

LABELS = "org.xpubuild"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The texts of the repository that go into images.

    `stages` are the scripts of `buildkit/stages/` by file name; `payload` the recipes' files by (component, source).
    """

    stages: Mapping[str, str]
    payload: Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """All that decides an image.

    `recipes` are those of the whole edition with what they stand on; `only` the components to build, all when empty.
    Layers are the same with and without `only`: it leaves roots out and changes none.
    """

    recipes: tuple[Recipe, ...]
    lock: Lock
    lock_digest: str
    builder: BuilderLock
    sources: Sources
    overrides: tuple[Override, ...] = ()
    only: tuple[str, ...] = ()


_PREFIX_LAYOUT: tuple[dict[str, Any], ...] = (
    *({"target": f"{PREFIX}/bin/{name}", "link": "/usr/bin/python3"} for name in ("python", "python3")),
    {
        "target": f"{PREFIX}/pyvenv.cfg",
        "mode": 0o644,
        "text": "home = /usr/bin\ninclude-system-site-packages = false\n",
    },
)
_NOTHING_OWNED = Owned(owner="", wheels=(), sdists=())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One root to be: the distributions that belong to it, and the files of its recipe or a layout of its own."""

    component: str
    group: Owned
    recipe: Recipe | None = None
    layout: tuple[dict[str, Any], ...] = ()

    @property
    def distributions(self) -> tuple[str, ...]:
        return tuple(sorted((*(item.name for item in self.group.wheels), *(item.name for item in self.group.sdists))))


def closure(recipes: Iterable[Recipe]) -> tuple[Recipe, ...]:
    """The recipes with all that they stand on, what is stood on first, each once."""
    found: dict[str, Recipe] = {}

    def visit(recipe: Recipe) -> None:
        if recipe.component not in found:
            for below in recipe.needs:
                visit(below)
            found[recipe.component] = recipe

    for recipe in sorted(recipes, key=lambda recipe: recipe.component):
        visit(recipe)
    return tuple(found.values())


def chosen(composition: Composition) -> tuple[Recipe, ...]:
    """The recipes of the image.

    Raises:
        InputError: `only` names a component that the edition does not have.
    """
    if not composition.only:
        return composition.recipes
    by_name = {recipe.component: recipe for recipe in composition.recipes}
    raise_all(
        InputError(
            f"this edition has no component {name}",
            where="--only",
            hint=f"it has {', '.join(sorted(by_name))}",
        )
        for name in composition.only
        if name not in by_name
    )
    return closure(by_name[name] for name in composition.only)


def compose(composition: Composition) -> Graph:
    """The graph of one image.

    Raises:
        InputError: recipes contradict each other or the lock; all faults at once.
    """
    recipes = chosen(composition)
    raise_all(_contradictions(composition, recipes))
    nodes: list[Node] = [*_foundation(composition)]
    for part in _parts(composition, recipes):
        nodes += _root_nodes(composition, part)
    nodes += _system_nodes(composition)
    roots = ordered(node for node in nodes if isinstance(node, Root | SystemRoot))
    verify = Verify(
        name="verify",
        base="base",
        builder="builder",
        roots=tuple(root.name for root in roots),
        scripts=_scripts(composition, "verify_roots.py", "normalise.py"),
    )
    below = graph_of([*nodes, verify])
    image = Image(
        name="image",
        base="base",
        roots=(*verify.roots, verify.name),
        environment=environment_of(recipes),
        entrypoint=_entrypoint_of(recipes),
        command=("bash",),
        labels=_labels(composition, below),
        epoch=composition.lock.epoch,
    )
    return graph_of([*below.nodes, image])


def environment_of(recipes: Iterable[Recipe]) -> tuple[tuple[str, str], ...]:
    """The variables of an image that holds these recipes, sorted.

    Raises:
        InputError: two recipes give one variable different values.
    """
    values: dict[str, tuple[str, str]] = {}
    faults = []
    for recipe in recipes:
        for name, value in recipe.environment:
            owner, earlier = values.setdefault(name, (recipe.component, value))
            if earlier != value:
                faults.append(
                    InputError(
                        f"{name} is {earlier!r} for {owner} and {value!r} for {recipe.component}",
                        where=f"recipe {recipe.component}: environment",
                        hint="set it in one of the two recipes",
                    )
                )
    raise_all(faults)
    return tuple(sorted((name, value) for name, (_, value) in values.items()))


def _contradictions(composition: Composition, recipes: tuple[Recipe, ...]) -> list[XpubuildError]:
    faults: list[XpubuildError] = [*trespasses(composition.recipes, composition.lock)]
    names = {recipe.component for recipe in recipes}
    faults += [
        InputError(
            f"{recipe.component} and {other} cannot be in one image",
            where=f"recipe {recipe.component}: conflicts",
        )
        for recipe in recipes
        for other in recipe.conflicts
        if other in names
    ]
    faults += [
        InputError(
            f"{' and '.join(shared.distributions)} carry different bytes at {shared.path}",
            where=f"lock {composition.lock.release}.{composition.lock.edition}: shared_paths",
            hint="one of them has to go: pin a version without that file, or leave one out of the release",
        )
        for shared in composition.lock.shared_paths
        if not shared.same
    ]
    return faults


def _foundation(composition: Composition) -> tuple[Node, ...]:
    builder = composition.builder
    return (
        Base(name="base", digest=composition.lock.base.digest),
        Base(name="builder-base", digest=builder.base.digest),
        Fetch(name="fetch-builder", artifacts=(builder.uv.artifact,)),
        Builder(
            name="builder",
            base="builder-base",
            fetch="fetch-builder",
            scripts=_scripts(composition, "install_uv.py"),
        ),
    )


def _parts(composition: Composition, recipes: Iterable[Recipe]) -> tuple[_Part, ...]:
    """What brings files: recipes; with any that brings distributions also the shared ones and the Python prefix."""
    groups = {group.owner: group for group in owned_by(composition.recipes, composition.lock)}
    parts = [
        _Part(component=recipe.component, group=groups.get(recipe.component, _NOTHING_OWNED), recipe=recipe)
        for recipe in recipes
        if recipe.component in groups or recipe.files or recipe.generated
    ]
    if any(part.distributions for part in parts):
        if SHARED in groups:
            parts.append(_Part(component=SHARED, group=groups[SHARED], layout=()))
        parts.append(_Part(component="prefix", group=_NOTHING_OWNED, layout=_PREFIX_LAYOUT))
    return tuple(parts)


def _root_nodes(composition: Composition, part: _Part) -> tuple[Node, ...]:
    wheels = tuple(wheel.artifact for wheel in part.group.wheels)
    fetches = (Fetch(name=f"fetch-{part.component}", artifacts=wheels),) if wheels else ()
    built = [_built_wheel_nodes(composition, sdist) for sdist in part.group.sdists]
    root = Root(
        name=f"root-{part.component}",
        component=part.component,
        builder="builder",
        fetch=fetches[0].name if fetches else None,
        built=tuple(wheel.name for _, wheel in built),
        distributions=part.distributions,
        layout=canonical_json(_layout(composition, part)),
        scripts=_scripts(composition, "make_root.py", "normalise.py"),
        size=sum(artifact.size for artifact in (*wheels, *(sdist.artifact for sdist in part.group.sdists))),
    )
    return (*(node for pair in built for node in pair), *fetches, root)


def _built_wheel_nodes(composition: Composition, sdist: Sdist) -> tuple[Fetch, BuiltWheel]:
    fetch = Fetch(name=f"fetch-{sdist.name}-sdist", artifacts=build_wheels_of(sdist, composition.lock.build))
    scripts = _scripts(composition, "build_wheel.py")
    return fetch, BuiltWheel(
        name=f"wheel-{sdist.name}", sdist=sdist, builder="builder", fetch=fetch.name, scripts=scripts
    )


def _system_nodes(composition: Composition) -> tuple[Node, ...]:
    debs = composition.lock.system
    if not debs:
        return ()
    fetch = Fetch(name="fetch-system", artifacts=tuple(deb.artifact for deb in debs))
    root = SystemRoot(
        name="root-system",
        base="base",
        builder="builder",
        fetch=fetch.name,
        debs=debs,
        epoch=composition.lock.epoch,
        scripts=_scripts(composition, "install_debs.sh", "system_root.py", "normalise.py"),
        size=sum(deb.artifact.size for deb in debs),
    )
    return (fetch, root)


def _layout(composition: Composition, part: _Part) -> list[dict[str, Any]]:
    entries = [*part.layout, *_winners(composition, part)]
    if part.recipe:
        entries += [_laid(composition, part.recipe, file) for file in part.recipe.files]
        entries += [_generated(composition, item) for item in part.recipe.generated]
    return sorted(entries, key=lambda entry: str(entry["target"]))


def _winners(composition: Composition, part: _Part) -> list[dict[str, Any]]:
    stated = {winner for recipe in composition.recipes for winner in recipe.winners}
    return [
        {"target": winner.target, "winner": winner.distribution}
        for winner in stated
        if winner.distribution in part.distributions
    ]


def _laid(composition: Composition, recipe: Recipe, file: File) -> dict[str, Any]:
    text = composition.sources.payload[recipe.component, file.source]
    return {"target": file.target, "mode": file.mode, "text": text}


def _generated(composition: Composition, generated: Generated) -> dict[str, Any]:
    lock = composition.lock
    items: tuple[Wheel | Sdist, ...] = (*lock.wheels, *lock.sdists)
    pins = sorted((item.name, item.version) for item in items)
    match generated.kind:
        case "pip-constraints":
            text = _constraints(pins)
        case "pip-build-constraints":
            named = {distribution_name(item) for recipe in composition.recipes for item in recipe.distributions}
            text = _constraints(pin for pin in pins if pin[0] in named)
        case "pip-configuration":
            text = "[global]\nconstraint = /etc/pip/constraint.txt\ndisable-pip-version-check = true\n"
        case "release":
            facts = _release_facts(composition, pins)
            text = json.dumps(facts, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    return {"target": generated.target, "mode": generated.mode, "text": text}


def _constraints(pins: Iterable[tuple[str, str]]) -> str:
    return "".join(f"{name}=={version}\n" for name, version in pins)


def _release_facts(composition: Composition, pins: list[tuple[str, str]]) -> dict[str, Any]:
    overrides = [
        {"requirement": override.requirement, "against": override.against, "reason": override.reason}
        for override in composition.overrides
    ]
    return {
        "release": composition.lock.release,
        "edition": composition.lock.edition,
        "distributions": dict(pins),
        "overrides": overrides,
    }


def _labels(composition: Composition, below: Graph) -> tuple[tuple[str, str], ...]:
    """What follows from content alone: who built the image, when and from which revision is no label."""
    lock = composition.lock
    keys = sorted(entry.key for entry in keyed(below))
    labels = {
        "org.opencontainers.image.version": lock.release,
        f"{LABELS}.release": lock.release,
        f"{LABELS}.edition": lock.edition,
        f"{LABELS}.lock": composition.lock_digest,
        f"{LABELS}.keys": f"sha256:{text_digest(canonical_json(keys))}",
    }
    only = {f"{LABELS}.only": " ".join(sorted(set(composition.only)))} if composition.only else {}
    return tuple(sorted((labels | only).items()))


def _entrypoint_of(recipes: Iterable[Recipe]) -> tuple[str, ...]:
    found = [recipe for recipe in recipes if recipe.entrypoint]
    if len(found) > 1:
        names = " and ".join(recipe.component for recipe in found)
        raise InputError(f"{names} both bring an entrypoint", where=f"recipe {found[1].component}: entrypoint")
    return found[0].entrypoint if found else ()


def _scripts(composition: Composition, *names: str) -> tuple[Script, ...]:
    return tuple(Script(name=name, text=composition.sources.stages[name]) for name in names)
