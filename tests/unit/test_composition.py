"""Recipes and a lock become one graph, whose keys say what changed and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.values import artifact, base, composition, deb, lock, recipe, sdist, sources, wheel
from xpubuild.composition import Composition, compose
from xpubuild.errors import InputError
from xpubuild.graph import Image, Root
from xpubuild.keys import keyed
from xpubuild.model.lock import SharedPath

TORCH = recipe("torch", "torch")
VLLM = recipe("vllm", "vllm", needs=(TORCH,))
RAY = recipe("ray", "ray")
LOCK = lock(
    wheel("torch", "2.5.1", "filelock", size=900_000_000),
    wheel("vllm", "0.7.3", "torch==2.5.1", "filelock", size=200_000_000),
    wheel("ray", "2.43.0", "filelock", size=60_000_000),
    wheel("filelock"),
    system=(deb("gdb"),),
)
WHOLE = composition((TORCH, VLLM, RAY), LOCK)


def keys(what: Composition) -> dict[str, str]:
    return {entry.node.name: entry.key for entry in keyed(compose(what))}


def changed(before: Composition, after: Composition) -> set[str]:
    old, new = keys(before), keys(after)
    return {name for name in {*old, *new} if old.get(name) != new.get(name)}


def test_roots_lie_big_and_stable_low_and_small_and_restless_high() -> None:
    assert compose(WHOLE).image.roots == (
        "root-torch",
        "root-vllm",
        "root-ray",
        "root-system",
        "root-shared",
        "root-prefix",
        "verify",
    )


def test_a_bumped_pin_changes_its_own_root_alone() -> None:
    wheels = tuple(wheel("ray", "2.44.0", "filelock", size=60_000_000) if w.name == "ray" else w for w in LOCK.wheels)
    bumped = replace(WHOLE, lock=replace(LOCK, wheels=wheels))
    assert changed(WHOLE, bumped) == {"fetch-ray", "root-ray", "verify", "image"}


def test_another_base_reruns_no_wheel_install() -> None:
    moved = replace(WHOLE, lock=replace(LOCK, base=base(name="updated")))
    assert changed(WHOLE, moved) == {"base", "root-system", "verify", "image"}


def test_another_deb_reruns_no_wheel_install() -> None:
    moved = replace(WHOLE, lock=replace(LOCK, system=(deb("gdb", "1.1"),)))
    assert changed(WHOLE, moved) == {"fetch-system", "root-system", "verify", "image"}


def test_a_changed_stage_script_reruns_what_uses_it() -> None:
    assert changed(WHOLE, replace(WHOLE, sources=sources(verify_roots__py="other"))) == {"verify", "image"}


def test_a_changed_epoch_of_the_release_leaves_wheel_roots_alone() -> None:
    moved = replace(WHOLE, lock=replace(LOCK, epoch=LOCK.epoch + 1))
    assert changed(WHOLE, moved) == {"root-system", "verify", "image"}


def test_only_leaves_roots_out_and_changes_none() -> None:
    whole, part = keys(WHOLE), keys(replace(WHOLE, only=("vllm",)))
    roots = {name for name in part if name.startswith("root-")}
    assert roots == {"root-torch", "root-vllm", "root-shared", "root-system", "root-prefix"}
    assert {name: part[name] for name in roots} == {name: whole[name] for name in roots}
    assert part["image"] != whole["image"]


def test_only_names_an_unknown_component() -> None:
    with pytest.raises(InputError, match="no component cuda"):
        compose(replace(WHOLE, only=("cuda",)))


def test_an_sdist_is_built_with_its_locked_requirements() -> None:
    setuptools = wheel("setuptools", "75.0")
    speed = recipe("deepspeed", "deepspeed")
    locked = lock(sdists=(sdist("deepspeed", "0.15.4", build=(setuptools.artifact.file,)),), build=(setuptools,))
    graph = compose(composition((speed,), locked))
    root = graph.node("root-deepspeed")
    assert isinstance(root, Root)
    assert root.built == ("wheel-deepspeed",)
    assert root.fetch is None
    assert [
        file.file for fetch in graph.fetches for file in fetch.artifacts if fetch.name == "fetch-deepspeed-sdist"
    ] == [
        "deepspeed-0.15.4.tar.gz",
        setuptools.artifact.file,
    ]


def test_two_recipes_that_disagree_on_a_variable_are_refused() -> None:
    first = recipe("a", environment=(("X", "1"),))
    second = recipe("b", environment=(("X", "2"),))
    with pytest.raises(InputError, match="X is '1' for a and '2' for b"):
        compose(composition((first, second), lock()))


def test_components_that_conflict_are_refused() -> None:
    with pytest.raises(InputError, match="a and b cannot be in one image"):
        compose(composition((recipe("a", conflicts=("b",)), recipe("b")), lock()))


def test_distributions_with_different_bytes_at_one_path_are_refused_before_a_build() -> None:
    path = "nvidia/nvshmem/lib/libnvshmem_host.so.3"
    shared = SharedPath(path=path, distributions=("nvidia-nvshmem-cu12", "nvidia-nvshmem-cu13"), same=False)
    with pytest.raises(InputError, match="carry different bytes"):
        compose(composition((TORCH,), lock(wheel("torch"), shared_paths=(shared,))))
    fine = replace(shared, same=True)
    compose(composition((TORCH,), lock(wheel("torch"), shared_paths=(fine,))))


def test_labels_follow_from_content_alone() -> None:
    image = compose(WHOLE).image
    assert isinstance(image, Image)
    assert [name for name, _ in image.labels] == [
        "org.opencontainers.image.version",
        "org.xpubuild.edition",
        "org.xpubuild.keys",
        "org.xpubuild.lock",
        "org.xpubuild.release",
    ]


def test_a_mirror_is_no_part_of_a_key() -> None:
    moved = artifact("torch-2.5.1-py3-none-any.whl", scheme="store", size=900_000_000)
    wheels = tuple(replace(w, artifact=moved) if w.name == "torch" else w for w in LOCK.wheels)
    assert changed(WHOLE, replace(WHOLE, lock=replace(LOCK, wheels=wheels))) == set()
