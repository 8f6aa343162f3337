"""The recipes and releases of this repository: whole, versionless, in layers, and covered by checks that can fail."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from xpubuild.adapters.checkout import DirectoryCheckout
from xpubuild.composition import closure
from xpubuild.errors import InputError
from xpubuild.model.recipe import ImportCheck, Recipe, ScriptCheck
from xpubuild.model.request import buildable, distribution_name, edition_of, recipes_of, request_for
from xpubuild.workflows.lock import refuse_stale

ROOT = Path(__file__).resolve().parent.parent.parent
CHECKOUT = DirectoryCheckout(ROOT, local=ROOT / "no-local-locks")
RECIPES = CHECKOUT.recipes()
RELEASES = ("24.11", "25.03")
# Which layers a layer may build on.
LAYERS = ("base", "accelerator", "communication", "framework", "serving")
ABOVE_BASE = ("debug", "toolkit")


def recipes_in(release: str) -> tuple[Recipe, ...]:
    described = CHECKOUT.release(release)
    return recipes_of(described, buildable(described, edition_of(described, "cuda")), RECIPES)


def modules() -> tuple[Path, ...]:
    found = (ROOT / "recipes").rglob("*.py")
    return tuple(path for path in sorted(found) if path.name != "__init__.py" and "checks" not in path.parts)


def imports_of(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.stem)
def test_a_recipe_imports_only_the_authors_words_and_lower_layers(path: Path) -> None:
    layer = path.parent.name
    lower = LAYERS[: LAYERS.index(layer) + 1] if layer in LAYERS else (*ABOVE_BASE, "base")
    allowed = re.compile(rf"xpubuild\.authoring|recipes\.({'|'.join(lower)})\.\w+")
    assert [name for name in imports_of(path) if not allowed.fullmatch(name)] == []


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.component)
def test_every_distribution_a_recipe_names_is_imported_or_run_by_a_check(recipe: Recipe) -> None:
    scripts = CHECKOUT.scripts((recipe,))
    imported = {check.distribution for check in recipe.checks if isinstance(check, ImportCheck)}
    texts = "\n".join([*scripts.values(), *(str(check) for check in recipe.checks)])
    names = [distribution_name(text) for text in recipe.distributions]
    assert [name for name in names if name not in imported and not _mentioned(name, texts)] == []


def _mentioned(name: str, texts: str) -> bool:
    """By its own name, or by the folder that NVIDIA's wheels of `nvidia-x-cu12` share, `nvidia/x`."""
    folder = re.sub(r"nvidia-(\w+)-cu\d+", r"nvidia[/.]\1", name)
    return re.search(folder, texts) is not None


def scripts() -> dict[tuple[str, str], str]:
    return CHECKOUT.scripts(RECIPES)


@pytest.mark.parametrize("script", sorted(scripts()), ids="/".join)
def test_a_script_tells_its_nonce_last_and_knows_no_version(script: tuple[str, str]) -> None:
    text = scripts()[script]
    last = text.strip().splitlines()
    told = [number for number, line in enumerate(last) if "xpubuild-nonce" in line]
    assert len(told) == 1
    # After it come at most the lines that call the function it stands in.
    rest = [line for line in last[told[0] + 1 :] if line.strip() and not line.lstrip().startswith("#")]
    assert rest in ([], ['if __name__ == "__main__":', "    main()"])
    pins = {wheel.version for release in RELEASES for wheel in CHECKOUT.lock(release, "cuda").wheels}
    precise = {version for version in pins if version.count(".") >= 2}
    assert [
        version for version in sorted(precise) if re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])", text)
    ] == []


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.component)
def test_a_script_check_has_room_for_a_slow_machine(recipe: Recipe) -> None:
    assert [check.name for check in recipe.checks if check.limits.seconds < 60] == []
    heavy = [check for check in recipe.checks if isinstance(check, ScriptCheck) and "torch" in _source(recipe, check)]
    assert [check.name for check in heavy if check.limits.seconds < 120] == []


def _source(recipe: Recipe, check: ScriptCheck) -> str:
    return CHECKOUT.scripts((recipe,))[recipe.component, check.source]


@pytest.mark.parametrize("release", RELEASES)
def test_the_committed_lock_answers_what_release_and_recipes_ask(release: str) -> None:
    described = CHECKOUT.release(release)
    edition = edition_of(described, "cuda")
    recipes = recipes_in(release)
    refuse_stale(
        CHECKOUT.lock(release, "cuda"),
        request_for(described, edition, recipes),
        CHECKOUT.local_files(closure(recipes)),
    )


@pytest.mark.parametrize("release", RELEASES)
def test_the_lock_holds_the_versions_that_the_release_states(release: str) -> None:
    lock = CHECKOUT.lock(release, "cuda")
    locked = {distribution_name(item.name): item.version for item in (*lock.wheels, *lock.sdists)}
    brings = {recipe.component: recipe.distributions for recipe in recipes_in(release)}
    stated = {
        distribution_name(brings[component.name][0]): component.version
        for component in edition_of(CHECKOUT.release(release), "cuda").components
        if component.version != "*"
    }
    assert stated
    assert {name: locked[name] for name in stated} == stated


def test_each_release_is_made_of_the_components_that_its_notes_name() -> None:
    older, newer = ({recipe.component for recipe in recipes_in(release)} for release in RELEASES)
    assert newer - older == {"flashinfer", "ray", "vllm"}
    assert older - newer == set()


@pytest.mark.parametrize(
    ("release", "missing"),
    [("24.11", "the PPU SDK 1.3.4 (a vendor archive)"), ("25.03", "the vendor's base image AC2")],
)
def test_the_vendor_edition_says_what_is_missing(release: str, missing: str) -> None:
    described = CHECKOUT.release(release)
    with pytest.raises(InputError) as caught:
        buildable(described, edition_of(described, "ppu"))
    assert f"missing: {missing}" in (caught.value.details or "").splitlines()


def test_vendor_versions_are_kept_as_the_vendor_writes_them() -> None:
    versions = {
        component.name: component.version for component in edition_of(CHECKOUT.release("25.03"), "ppu").components
    }
    assert versions == {
        "ppu-sdk": "1.4.3-hotfix",
        "accl-p": "1.4.3-8",
        "eic": "1.3.7.1-v2503",
        "transformers": "4.49.0+ali",
        "accelerate": "1.5.2",
        "ray": "2.43",
        "vllm": "0.7.3",
        "flashinfer": "0.2.1.post1",
    }
