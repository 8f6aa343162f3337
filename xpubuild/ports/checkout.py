"""A checkout of the repository that holds families, releases, recipes and locks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from xpubuild.composition import Sources
    from xpubuild.model.lock import BuilderLock, LocalFile, Lock
    from xpubuild.model.recipe import Recipe
    from xpubuild.model.release import Family, Release


class Checkout(Protocol):
    """Reads and, for locks, writes a checkout."""

    def family(self) -> Family:
        """The family of the checkout.

        Raises:
            InputError: its file is wrong; all faults at once.
        """

    def release(self, name: str) -> Release:
        """A release by its name.

        Raises:
            InputError: there is no such release (nearest names), or its file is wrong; all faults at once.
        """

    def releases(self) -> tuple[str, ...]:
        """The names of all releases."""

    def recipes(self) -> tuple[Recipe, ...]:
        """All recipes, sorted by component.

        Raises:
            InputError: a recipe module cannot be imported or contradicts another; all faults at once.
        """

    def sources(self, recipes: tuple[Recipe, ...]) -> Sources:
        """The texts of stage scripts and of the files of these recipes.

        Raises:
            InputError: a file that a recipe names is not there or is no UTF-8 text; all faults at once.
        """

    def scripts(self, recipes: tuple[Recipe, ...]) -> dict[tuple[str, str], str]:
        """The texts of the check scripts of these recipes, by (component, source).

        Raises:
            InputError: a script is not there; all faults at once.
        """

    def local_files(self, recipes: tuple[Recipe, ...]) -> tuple[LocalFile, ...]:
        """The payload files of these recipes with their digests, sorted by path."""

    def lock(self, release: str, edition: str) -> Lock:
        """The committed lock, or the local one that stands in for it on this machine.

        Raises:
            LockError: there is none, or it was edited by hand.
        """

    def lock_digest(self, release: str, edition: str) -> str:
        """The digest of that lock's text, `sha256:…`."""

    def builder_lock(self) -> BuilderLock:
        """The lock of the builder image.

        Raises:
            LockError: there is none, or it was edited by hand.
        """
