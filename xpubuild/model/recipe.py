"""What does a recipe author say about one component?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Need = Literal["device", "network", "ptrace", "host", "perf"]
"""What a check asks of the machine: an accelerator, the network, the right to attach to processes or to count events,
or the quick start's way of starting (host network and IPC, every right)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file that the image gets as it stands.

    `source` is relative to the recipe module's folder; `target` absolute in the image; `mode` the permission bits.
    """

    source: str
    target: str
    mode: int = 0o644


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A file whose text follows from the lock.

    `kind` names the generator: `pip-constraints` pins every distribution, `pip-build-constraints` those that recipes
    name, `pip-configuration` points pip to the former, `release` tells programs in the image what it is.
    """

    kind: Literal["pip-constraints", "pip-build-constraints", "pip-configuration", "release"]
    target: str
    mode: int = 0o644


@dataclass(frozen=True, slots=True, kw_only=True)
class Winner:
    """Whose file stays at `target` where several distributions of one layer bring one, with different bytes.

    Commands (`[console_scripts]`) are such files: no wheel lists them, an installer writes them. What wheels themselves
    list is held against each other before a build, and has no winner.
    """

    target: str
    distribution: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one check may use: `seconds` of wall time, `memory` and `shm` in bytes."""

    seconds: int = 120
    memory: int = 4 << 30
    shm: int = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCheck:
    """The module imports and, where given, its distribution has the locked version and the module says the same."""

    name: str
    module: str
    distribution: str | None = None
    limits: Limits = field(default_factory=Limits)
    needs: frozenset[Need] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandCheck:
    """The command exits with `exit_code` and its output matches the regular expression `expects`."""

    name: str
    command: tuple[str, ...]
    expects: str
    exit_code: int = 0
    limits: Limits = field(default_factory=Limits)
    needs: frozenset[Need] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptCheck:
    """A script beside the recipe, run in the image by its interpreter; it must print the nonce in XPUBUILD_NONCE."""

    name: str
    source: str
    interpreter: tuple[str, ...] = ("python",)
    limits: Limits = field(default_factory=Limits)
    needs: frozenset[Need] = frozenset()
    entrypoint: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalCheck:
    """Started with the image's own entrypoint, the command ends with `exit_code`.

    Where `signal` is given, it is sent once the command has printed `ready`.
    """

    name: str
    command: tuple[str, ...]
    exit_code: int
    signal: str | None = None
    limits: Limits = field(default_factory=Limits)
    needs: frozenset[Need] = frozenset()


Check = ImportCheck | CommandCheck | ScriptCheck | SignalCheck


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What release notes say of a component. Unknown stays absent."""

    summary: str
    homepage: str | None = None
    known_issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How one component gets into an image. It knows no version; releases give versions.

    Attributes:
        component: the name that release files, `--only` and stages use.
        title: for people.
        needs: the recipes it builds on, by the imported object.
        distributions: Python distributions it brings (PEP 503 names, extras allowed: `ray[default]`); each is a
            requirement of the lock. A component version pins the distribution that bears the component's name.
        claims: fnmatch patterns of distributions that belong to it when the lock holds them, without asking for them.
        requires: requirements (PEP 508) that upstream forgot to declare; they go into the lock.
        system: Debian packages.
        files, generated: files the image gets.
        winners: whose file stays where two distributions bring one path; without it such a build stops.
        environment: variables of the image; a value may refer to no other variable.
        checks: smoke tests, inherited by every image that holds the recipe.
        conflicts: components that must not be in the same image.
        editions: the editions it can be built for.
        entrypoint: argv of the image's entrypoint, for the one recipe that brings it.
        module: dotted name of the module that defines it, filled in by discovery.
    """

    component: str
    title: str
    facts: Facts
    needs: tuple[Recipe, ...] = ()
    distributions: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    files: tuple[File, ...] = ()
    generated: tuple[Generated, ...] = ()
    winners: tuple[Winner, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    checks: tuple[Check, ...] = ()
    conflicts: tuple[str, ...] = ()
    editions: tuple[str, ...] = ("cuda",)
    entrypoint: tuple[str, ...] = ()
