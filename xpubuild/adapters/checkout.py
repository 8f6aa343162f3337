"""Read a checkout of the repository: families, releases, recipes, locks, scripts."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import os
import sys
import traceback
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from xpubuild.composition import Sources, closure
from xpubuild.errors import InputError, LockError, XpubuildError, raise_all
from xpubuild.model.coherence import incoherences
from xpubuild.model.lock import BuilderLock, LocalFile
from xpubuild.model.lock_codec import lock_digest, read_builder_lock, read_lock, write_builder_lock, write_lock
from xpubuild.model.recipe import Recipe, ScriptCheck
from xpubuild.model.release_codec import read_family, read_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from xpubuild.model.lock import Lock
    from xpubuild.model.release import Component, Edition, Family, Release

_MARKS = ("images", "recipes", "buildkit/stages")


def find_checkout(start: Path) -> Path:
    """The nearest folder at or above `start` that holds images/, recipes/ and buildkit/stages/.

    Raises:
        InputError: there is none.
    """
    for folder in (start, *start.parents):
        if all((folder / mark).is_dir() for mark in _MARKS):
            return folder
    raise InputError(
        "this is no checkout of images and recipes",
        where=str(start),
        hint="change into one, or name it with --checkout",
    )


class DirectoryCheckout:
    """`ports.checkout.Checkout` at `root`; locks made on this machine alone lie below `local`."""

    def __init__(self, root: Path, *, local: Path) -> None:
        self.root = root
        self._local = local
        self._modules: dict[str, Path] = {}

    @property
    def _family(self) -> Path:
        families = sorted(path.parent for path in (self.root / "images").glob("*/family.toml"))
        if len(families) != 1:
            raise InputError(f"one family is expected below images/, {len(families)} are there", where="images/")
        return families[0]

    def family(self) -> Family:
        """See the port."""
        path = self._family / "family.toml"
        family = read_family(_text(path, self.root), where=self._shown(path))
        try:
            ZoneInfo(family.time_zone)
        except (ZoneInfoNotFoundError, ValueError) as fault:
            raise InputError(
                f"{family.time_zone} is no time zone",
                where=f"{self._shown(path)}: time-zone",
                hint="as in Asia/Shanghai",
            ) from fault
        return family

    def releases(self) -> tuple[str, ...]:
        """See the port."""
        return tuple(sorted(path.stem for path in self._family.glob("*.toml") if path.stem != "family"))

    def release(self, name: str) -> Release:
        """See the port."""
        known = self.releases()
        if name not in known:
            near = difflib.get_close_matches(name, known, 3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
            raise InputError(f"there is no release {name!r}", where=self._shown(self._family), hint=hint)
        release = self._read(name)
        raise_all(self._strangers(release))
        return release

    def _read(self, name: str) -> Release:
        path = self._family / f"{name}.toml"
        return read_release(_text(path, self.root), where=self._shown(path), name=name, family=self.family().name)

    def _strangers(self, release: Release) -> Iterator[InputError]:
        """What a release says of the family or of other releases, and is not so."""
        where = f"{self._shown(self._family)}/{release.name}.toml: editions"
        known = [rule.name for rule in self.family().editions]
        for edition in release.editions:
            if edition.name not in known:
                near = difflib.get_close_matches(edition.name, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
                yield InputError("the family has no such edition", where=f"{where}.{edition.name}", hint=hint)
            for component in edition.components:
                if component.carried_from and not self._carried(component, edition):
                    yield InputError(
                        f"{component.carried_from} has no {component.name} {component.version} to carry over",
                        where=f"{where}.{edition.name}.components.{component.name}.carried-from",
                    )

    def _carried(self, component: Component, edition: Edition) -> bool:
        if component.carried_from is None or component.carried_from not in self.releases():
            return False
        return any(
            (other.name, held.name, held.version) == (edition.name, component.name, component.version)
            for other in self._read(component.carried_from).editions
            for held in other.components
        )

    def recipes(self) -> tuple[Recipe, ...]:
        """See the port."""
        self._make_importable()
        found: dict[str, Recipe] = {}
        faults: dict[str, XpubuildError] = {}
        for path in self._modules_of_recipes():
            try:
                recipe = self._load(path)
            except XpubuildError as fault:
                # What one module has wrong, every module that imports it meets: told once.
                faults.setdefault(str(fault), fault)
                continue
            if recipe.component in found:
                first = self._shown(self._modules[recipe.component])
                taken = InputError(f"{first} already has the component {recipe.component}", where=self._shown(path))
                faults[str(taken)] = taken
                continue
            found[recipe.component] = recipe
            self._modules[recipe.component] = path
        recipes = tuple(found[name] for name in sorted(found))
        raise_all([*faults.values(), *incoherences(recipes)])
        return recipes

    def _make_importable(self) -> None:
        """Let `recipes` be the package of this checkout, whatever was imported before."""
        if sys.path[:1] != [str(self.root)]:
            sys.path.insert(0, str(self.root))
        present = getattr(sys.modules.get("recipes"), "__path__", None)
        if present is not None and list(present) != [str(self.root / "recipes")]:
            for name in [name for name in sys.modules if name.partition(".")[0] == "recipes"]:
                del sys.modules[name]
        importlib.invalidate_caches()

    def _modules_of_recipes(self) -> Iterator[Path]:
        for path in sorted((self.root / "recipes").rglob("*.py")):
            if path.name != "__init__.py" and "checks" not in path.parts:
                yield path

    def _load(self, path: Path) -> Recipe:
        name = ".".join(path.relative_to(self.root).with_suffix("").parts)
        try:
            recipe = getattr(importlib.import_module(name), "RECIPE", None)
        except Exception as fault:
            raise InputError(
                f"the recipe cannot be imported: {type(fault).__name__}: {fault}", where=self._line_of(fault, path)
            ) from fault
        if not isinstance(recipe, Recipe):
            raise InputError(
                "the module defines no RECIPE", where=self._shown(path), hint="RECIPE = Recipe(component=…)"
            )
        return recipe

    def _line_of(self, fault: Exception, path: Path) -> str:
        """The innermost line of a recipe that a fault was met at, `recipes/…/x.py:7`."""
        if isinstance(fault, SyntaxError) and fault.filename and fault.filename.startswith(str(self.root)):
            return f"{os.path.relpath(fault.filename, self.root)}:{fault.lineno}"
        ours = str(self.root / "recipes") + os.sep
        lines = [frame for frame in traceback.extract_tb(fault.__traceback__) if frame.filename.startswith(ours)]
        return f"{os.path.relpath(lines[-1].filename, self.root)}:{lines[-1].lineno}" if lines else self._shown(path)

    def sources(self, recipes: tuple[Recipe, ...]) -> Sources:
        """See the port."""
        stages = {
            path.name: path.read_text(encoding="utf-8")
            for path in sorted((self.root / "buildkit/stages").iterdir())
            if path.is_file()
        }
        wanted = [(recipe, file.source) for recipe in recipes for file in recipe.files]
        return Sources(stages=stages, payload=self._texts(wanted))

    def scripts(self, recipes: tuple[Recipe, ...]) -> dict[tuple[str, str], str]:
        """See the port."""
        wanted = [(r, check.source) for r in recipes for check in r.checks if isinstance(check, ScriptCheck)]
        return self._texts(wanted)

    def local_files(self, recipes: tuple[Recipe, ...]) -> tuple[LocalFile, ...]:
        """See the port."""
        files = []
        for recipe in closure(recipes):
            for file in recipe.files:
                path = self._modules[recipe.component].parent / file.source
                digest = hashlib.sha256(_text(path, self.root).encode()).hexdigest()
                files.append(LocalFile(path=self._shown(path), sha256=digest))
        return tuple(sorted(files, key=lambda file: file.path))

    def lock(self, release: str, edition: str) -> Lock:
        """See the port."""
        path = self._lock_path(release, edition)
        return read_lock(self._lock_text(path), where=self._shown(path))

    def lock_digest(self, release: str, edition: str) -> str:
        """The digest of the lock's text, `sha256:…`."""
        return lock_digest(self._lock_text(self._lock_path(release, edition)))

    def builder_lock(self) -> BuilderLock:
        """See the port."""
        return read_builder_lock(self._lock_text(self._builder_path), where=self._shown(self._builder_path))

    def write_lock(self, lock: Lock) -> Path:
        """Write a release's lock into the checkout, whole or not at all."""
        path = self._family / f"{lock.release}.{lock.edition}.lock"
        _write(path, write_lock(lock))
        return path

    def write_local(self, lock: Lock | BuilderLock) -> Path:
        """Write a lock that stands in for the committed one on this machine; such a lock is never published."""
        if isinstance(lock, BuilderLock):
            committed, text = self._builder_path, write_builder_lock(lock)
        else:
            committed, text = self._lock_path(lock.release, lock.edition), write_lock(lock)
        path = self._local_place(committed.read_text(encoding="utf-8"))
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, text)
        return path

    def write_builder_lock(self, lock: BuilderLock) -> Path:
        """Write the builder's lock into the checkout."""
        _write(self._builder_path, write_builder_lock(lock))
        return self._builder_path

    @property
    def _builder_path(self) -> Path:
        return self.root / "buildkit" / "builder.lock"

    def _lock_path(self, release: str, edition: str) -> Path:
        return self._family / f"{release}.{edition}.lock"

    def _lock_text(self, path: Path) -> str:
        """The text of a lock, or of the local one that was made in its place when its Debian packages were gone."""
        if not path.is_file():
            words = path.stem.rsplit(".", 1)
            command = "xpubuild lock " + (f"{words[0]} --edition {words[1]}" if len(words) > 1 else "--refresh-builder")
            raise LockError("there is no lock", where=self._shown(path), hint=f"run `{command}`")
        committed = path.read_text(encoding="utf-8")
        local = self._local_place(committed)
        return local.read_text(encoding="utf-8") if local.is_file() else committed

    def _local_place(self, committed: str) -> Path:
        """Where the lock is that stands in for this text: for no other checkout, release or version of it."""
        return self._local / f"{lock_digest(committed).removeprefix('sha256:')[:24]}.lock"

    def _texts(self, wanted: Iterable[tuple[Recipe, str]]) -> dict[tuple[str, str], str]:
        texts: dict[tuple[str, str], str] = {}
        faults: list[XpubuildError] = []
        for recipe, source in wanted:
            try:
                path = self._modules[recipe.component].parent / source
                texts[recipe.component, source] = _text(path, self.root)
            except XpubuildError as fault:
                faults.append(fault)
        raise_all(faults)
        return texts

    def _shown(self, path: Path) -> str:
        return os.path.relpath(path, self.root)


def _text(path: Path, root: Path) -> str:
    where = os.path.relpath(path, root)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as fault:
        raise InputError("the file is not there", where=where) from fault
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"the file cannot be read as UTF-8 text: {fault}", where=where) from fault


def _write(path: Path, text: str) -> None:
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
