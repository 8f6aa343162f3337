"""Which built image does a person mean?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xpubuild.errors import InputError
from xpubuild.model.reference import is_digest
from xpubuild.workflows.build import candidate_host, ready_engine
from xpubuild.workflows.preparing import Choice, Prepared, prepare
from xpubuild.workflows.smoke import Candidate

if TYPE_CHECKING:
    from xpubuild.ports.checkout import Checkout
    from xpubuild.ports.engine import Engine
    from xpubuild.workflows.build import Building


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A candidate in the candidate repository, what it was made from, and the engine to run it on."""

    candidate: Candidate
    prepared: Prepared
    engine: Engine


def find_candidate(  # noqa: PLR0913 - what a person may say about an image
    world: Building,
    checkout: Checkout,
    image: str,
    *,
    edition: str | None,
    only: tuple[str, ...],
    builder: str | None,
    registry: str | None,
) -> Found:
    """The candidate of a release as the checkout stands, or the one of a digest by its labels.

    Raises:
        InputError: it was not built, or was built from another state of the checkout.
    """
    engine = ready_engine(world, builder)
    host = candidate_host(world, registry)
    if not is_digest(image):
        prepared = prepare(checkout, Choice(release=image, edition=edition, only=only))
        held = world.registry.image(prepared.repository_in(host), prepared.tag)
        if held is None:
            raise InputError(f"{image} was not built from this checkout", hint=f"run `xpubuild build {image}`")
        return _found(prepared, held.digest, host=host, engine=engine)
    return _by_digest(world, checkout, image, host=host, engine=engine)


def _by_digest(world: Building, checkout: Checkout, digest: str, *, host: str, engine: Engine) -> Found:
    family = checkout.family()
    for name in checkout.releases():
        for described in checkout.release(name).editions:
            if described.missing:
                continue
            prepared = prepare(checkout, Choice(release=name, edition=described.name))
            held = world.registry.image(prepared.repository_in(host), digest)
            if held is None:
                continue
            labels = dict(held.labels)
            if (labels.get("org.xpubuild.release"), labels.get("org.xpubuild.edition")) != (name, described.name):
                continue
            only = tuple(labels.get("org.xpubuild.only", "").split())
            prepared = prepare(checkout, Choice(release=name, edition=described.name, only=only))
            if labels.get("org.xpubuild.lock") != prepared.composition.lock_digest:
                raise InputError(
                    f"{digest} was built from another lock of {name} than this checkout has",
                    hint="check out the revision that it was built from",
                )
            return _found(prepared, digest, host=host, engine=engine)
    raise InputError(f"no repository of {family.name} in {host} has {digest}", hint="build it, or correct the digest")


def _found(prepared: Prepared, digest: str, *, host: str, engine: Engine) -> Found:
    reference = prepared.repository_in(host).digested(digest)
    return Found(candidate=Candidate(digest=digest, reference=reference), prepared=prepared, engine=engine)
