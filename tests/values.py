"""Small, valid values for tests, each with what the test is about left to say."""

from __future__ import annotations

import hashlib

from xpubuild.composition import Composition, Sources
from xpubuild.model.artifact import Artifact, Deb, Origin, Sdist, Wheel
from xpubuild.model.lock import BuilderLock, DebianBase, Lock, Request
from xpubuild.model.recipe import CommandCheck, Facts, Recipe

STAGES = (
    "build_wheel.py",
    "install_debs.sh",
    "install_uv.py",
    "make_root.py",
    "normalise.py",
    "system_root.py",
    "verify_roots.py",
)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def artifact(file: str, *, size: int = 1000, scheme: str = "pypi") -> Artifact:
    return Artifact(file=file, size=size, sha256=sha256(file), origin=Origin(scheme, f"packages/{file}"))


def wheel(name: str, version: str = "1.0", *requires: str, size: int = 1000) -> Wheel:
    file = f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    return Wheel(name=name, version=version, artifact=artifact(file, size=size), requires=requires)


def sdist(name: str, version: str = "1.0", *requires: str, build: tuple[str, ...] = ()) -> Sdist:
    return Sdist(
        name=name, version=version, artifact=artifact(f"{name}-{version}.tar.gz"), requires=requires, build=build
    )


def deb(name: str, version: str = "1.0") -> Deb:
    file = f"{name}_{version}_amd64.deb"
    return Deb(name=name, version=version, architecture="amd64", artifact=artifact(file, scheme="debian"))


def recipe(component: str, *distributions: str, **more: object) -> Recipe:
    check = CommandCheck(name="runs", command=("true",), expects="")
    facts = Facts(summary=f"about {component}")
    fields = {"facts": facts, "checks": (check,), **more}
    return Recipe(component=component, title=component.title(), distributions=distributions, **fields)  # type: ignore[arg-type]


def base(*debs: Deb, name: str = "base") -> DebianBase:
    return DebianBase(suite="bookworm", digest=f"sha256:{sha256(name)}", debs=debs or (deb("libc6"),))


def lock(*wheels: Wheel, sdists: tuple[Sdist, ...] = (), **more: object) -> Lock:
    fields: dict[str, object] = {
        "release": "25.03",
        "edition": "cuda",
        "python": "3.11",
        "platform": "linux/amd64",
        "epoch": 1743465600,
        "request": Request(cut_off="2025-04-01", requirements=(), overrides=(), system=(), base="debian-12"),
        "base": base(),
        "system": (),
        "wheels": wheels,
        "sdists": sdists,
        "build": (),
        "shared_paths": (),
        "files": (),
        **more,
    }
    return Lock(**fields)  # type: ignore[arg-type]


def builder() -> BuilderLock:
    return BuilderLock(base=base(name="builder"), uv=wheel("uv", "0.9"))


def sources(**stages: str) -> Sources:
    texts = {name: f"text of {name}" for name in STAGES} | {
        name.replace("__", "."): text for name, text in stages.items()
    }
    return Sources(stages=texts, payload={})


def composition(recipes: tuple[Recipe, ...], locked: Lock, **more: object) -> Composition:
    fields: dict[str, object] = {
        "lock_digest": f"sha256:{sha256('lock')}",
        "builder": builder(),
        "sources": sources(),
        **more,
    }
    return Composition(recipes=recipes, lock=locked, **fields)  # type: ignore[arg-type]
