"""What does a release engineer say about a family and its releases?"""

from __future__ import annotations

from dataclasses import dataclass

ANY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One kind of registry a family is published to; `host` may hold `{region}`, expanded by `regions`."""

    name: str
    host: str
    namespace: str
    regions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionRule:
    """Where an edition is published (`repository`, below each target's namespace)."""

    name: str
    repository: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TagRules:
    """How tags are named: patterns over `{release}`, `{number}` (of a post release) and `{date}` (YYYYMMDD)."""

    release: str
    post: str
    nightly: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerLimits:
    """What the nodes that pull an image take: `layers`, those of the base included, and bytes of each as fetched."""

    layers: int
    layer_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """A product: its editions, targets and rules for all releases. `time_zone` is an IANA name."""

    name: str
    title: str
    default_edition: str
    editions: tuple[EditionRule, ...]
    targets: tuple[Target, ...]
    tags: TagRules
    limits: LayerLimits
    time_zone: str
    runner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A component of a release. `version` is the vendor's own string, or `*` where the lock chooses.

    `carried_from` names the release whose version was carried over because the source states none.
    """

    name: str
    version: str
    carried_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A requirement (PEP 508) that wins over what a distribution demands, and why."""

    requirement: str
    against: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """One edition of a release. `missing` says in sentences what is not there, where it cannot be built."""

    name: str
    base: str
    components: tuple[Component, ...]
    overrides: tuple[Override, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """One version of a family. `name` is a string that no version rule is applied to; `cut_off` an ISO 8601 date."""

    family: str
    name: str
    cut_off: str
    editions: tuple[Edition, ...]
