"""Read a checkout into the graph of one image, with its keys: what plan, graph, render, build and test begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xpubuild.composition import Composition, chosen, compose
from xpubuild.errors import raise_all
from xpubuild.keys import Keyed, keyed
from xpubuild.layers import excesses
from xpubuild.model.reference import Repository, repository
from xpubuild.workflows.lock import refuse_stale, requested

if TYPE_CHECKING:
    from xpubuild.graph import Graph
    from xpubuild.model.recipe import Recipe
    from xpubuild.model.release import Family
    from xpubuild.ports.checkout import Checkout


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which image: a release, one of its editions (None takes the family's default), and `only` some components."""

    release: str
    edition: str | None = None
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """An image that is fully decided, before anything is built."""

    family: Family
    composition: Composition
    recipes: tuple[Recipe, ...]
    graph: Graph
    nodes: tuple[Keyed, ...]

    @property
    def key(self) -> str:
        """The key of the image: 64 hexadecimal digits."""
        return self.nodes[-1].key

    @property
    def tag(self) -> str:
        """The tag that names the candidate by its content."""
        return f"{self.composition.lock.release}-key-{self.key[:12]}"

    def repository_in(self, host: str) -> Repository:
        """The candidate repository in the registry at `host`."""
        (rule,) = (rule for rule in self.family.editions if rule.name == self.composition.lock.edition)
        return repository(host, f"{self.family.targets[0].namespace}/{rule.repository}")


def prepare(checkout: Checkout, choice: Choice) -> Prepared:
    """Decide an image.

    Raises:
        InputError: release, edition, components or recipes are wrong, or the image exceeds the family's limits.
        LockError: the lock is missing, stale or was edited by hand.
    """
    family = checkout.family()
    edition = choice.edition or family.default_edition
    asked = requested(checkout, choice.release, edition)
    lock = checkout.lock(choice.release, edition)
    refuse_stale(lock, asked.request, checkout.local_files(asked.recipes))
    composition = Composition(
        recipes=asked.recipes,
        lock=lock,
        lock_digest=checkout.lock_digest(choice.release, edition),
        builder=checkout.builder_lock(),
        sources=checkout.sources(asked.recipes),
        overrides=asked.edition.overrides,
        only=choice.only,
    )
    graph = compose(composition)
    raise_all(excesses(graph, family.limits))
    return Prepared(
        family=family, composition=composition, recipes=chosen(composition), graph=graph, nodes=keyed(graph)
    )
