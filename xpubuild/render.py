"""How is a graph written as a Dockerfile and a bake file?

People can read, lint and build what comes out by hand: `docker buildx bake` in the directory gives the same digest.
Every byte enters by `ADD --checksum`, a build context pinned by digest, or a script whose text is part of a key; every
`RUN` is without network. No frontend is named in a syntax line: the engine's own is used, nothing is fetched for it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_never

from xpubuild.graph import (
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
)
from xpubuild.keys import keyed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xpubuild.model.site import Site

TARGET = "image"
PLATFORM = "linux/amd64"
COMPRESSION = "compression=zstd,compression-level=3,force-compression=true,oci-mediatypes=true"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """The files of a build directory: (relative path, text), sorted by path."""

    files: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What one stage runs: the first of `scripts`, the others beside it."""

    scripts: tuple[Script, ...]
    mounts: tuple[str, ...]
    environment: tuple[tuple[str, str], ...] = ()


def rendered(graph: Graph, *, site: Site, contexts: Mapping[str, str], reference: str) -> Rendered:
    """Write a graph.

    Args:
        graph: what to build.
        site: where this site fetches origins from.
        contexts: for each `Base` of the graph its build context, `oci-layout://DIR@sha256:…` or `docker-image://…`.
        reference: the name the image is pushed as, `127.0.0.1:5077/family:tag`.
    """
    scripts = {script.name: script.text for node in graph.nodes for script in _scripts_of(node)}
    layouts = {f"layouts/{node.component}.json": node.layout for node in graph.nodes if isinstance(node, Root)}
    places = {entry.node.name: f"/out/{entry.key[:12]}" for entry in keyed(graph)}
    stages = [_stage(node, site, places) for node in graph.nodes if not isinstance(node, Base)]
    files = {
        "Dockerfile": "\n\n".join(stages) + "\n",
        "bake.json": _bake(graph, contexts, reference),
        **{f"stages/{name}": text for name, text in scripts.items()},
        **layouts,
    }
    return Rendered(files=tuple(sorted(files.items())))


def _bake(graph: Graph, contexts: Mapping[str, str], reference: str) -> str:
    target = {
        "context": ".",
        "dockerfile": "Dockerfile",
        "target": graph.image.name,
        "platforms": [PLATFORM],
        "contexts": dict(sorted(contexts.items())),
        "args": {"SOURCE_DATE_EPOCH": str(graph.image.epoch)},
        "attest": ["type=provenance,disabled=true", "type=sbom,disabled=true"],
        "output": [f"type=image,name={reference},push=true,{COMPRESSION}"],
    }
    return json.dumps(_without_variables({"target": {TARGET: target}}), indent=2, sort_keys=True) + "\n"


def _without_variables(value: Any) -> Any:
    """Double every `$`: bake reads `${…}` in JSON too as a variable."""
    match value:
        case str():
            return value.replace("${", "$${").replace("%{", "%%{")
        case dict():
            return {name: _without_variables(item) for name, item in value.items()}
        case list():
            return [_without_variables(item) for item in value]
        case _:
            return value


def _stage(node: Node, site: Site, places: Mapping[str, str]) -> str:
    """One node; `places` are the directories below which stages leave their roots.

    A place bears the node's key: BuildKit tells trees apart by their content without times, and would give a root whose
    files have other times, because another epoch or script made it, the layer of an older one.
    """
    match node:
        case Fetch():
            return _fetch(node, site)
        case Builder():
            mounts = (f"from={node.fetch},target=/files",)
            return _run(node.base, node.name, _Run(scripts=node.scripts, mounts=mounts))
        case BuiltWheel():
            return _built_wheel(node)
        case Root():
            return _root(node, places)
        case SystemRoot():
            return _system_root(node, places)
        case Verify():
            return _verify(node, places)
        case Image():
            return _image(node, places)
        case Base():
            raise AssertionError(f"{node.name} is a build context")
        case _:
            assert_never(node)


def _fetch(node: Fetch, site: Site) -> str:
    added = (f"ADD --link --checksum=sha256:{file.sha256} {site.url_of(file.origin)} /" for file in node.artifacts)
    return "\n".join([f"FROM scratch AS {node.name}", *added])


def _built_wheel(node: BuiltWheel) -> str:
    run = _Run(
        scripts=node.scripts,
        mounts=(f"from={node.fetch},target=/files",),
        environment=(("NAME", node.sdist.name), ("VERSION", node.sdist.version)),
    )
    return _run(node.builder, node.name, run)


def _root(node: Root, places: Mapping[str, str]) -> str:
    mounts = (
        *([f"from={node.fetch},target=/files"] if node.fetch else []),
        *(f"from={name},source=/dist,target=/built/{name}" for name in node.built),
        f"source=layouts/{node.component}.json,target=/layout.json",
    )
    return _run(
        node.builder, node.name, _Run(scripts=node.scripts, mounts=mounts, environment=(("OUT", places[node.name]),))
    )


def _system_root(node: SystemRoot, places: Mapping[str, str]) -> str:
    installed = f"{node.name}-installed"
    epoch = (("SOURCE_DATE_EPOCH", str(node.epoch)),)
    install = _Run(
        scripts=tuple(script for script in node.scripts if script.name.endswith(".sh")),
        mounts=(f"from={node.fetch},target=/files",),
        environment=epoch,
    )
    compare = _Run(
        scripts=tuple(script for script in node.scripts if script.name.endswith(".py")),
        mounts=(f"from={node.base},target=/lower", f"from={installed},target=/upper"),
        environment=(("OUT", places[node.name]), *epoch),
    )
    return _run(node.base, installed, install) + "\n\n" + _run(node.builder, node.name, compare)


def _verify(node: Verify, places: Mapping[str, str]) -> str:
    roots = (f"from={name},source={places[name]},target=/roots/{at:02}-{name}" for at, name in enumerate(node.roots))
    mounts = (f"from={node.base},target=/base", *roots)
    run = _Run(scripts=node.scripts, mounts=mounts, environment=(("OUT", places[node.name]),))
    return _run(node.builder, node.name, run)


def _image(node: Image, places: Mapping[str, str]) -> str:
    lines = [f"FROM {node.base} AS {node.name}"]
    lines += [f"COPY --link --from={name} {places[name]}/ /" for name in node.roots]
    lines += [f"ENV {name}={_quoted(value)}" for name, value in node.environment]
    lines += [f"LABEL {name}={_quoted(value)}" for name, value in node.labels]
    if node.entrypoint:
        lines.append(f"ENTRYPOINT {json.dumps(list(node.entrypoint))}")
    lines.append(f"CMD {json.dumps(list(node.command))}")
    return "\n".join(lines)


def _run(base: str, name: str, run: _Run) -> str:
    """One stage of one RUN line without network."""
    words = ["RUN --network=none", *(f"--mount=type=bind,{mount}" for mount in run.mounts)]
    words += [f"--mount=type=bind,source=stages/{item.name},target=/stages/{item.name}" for item in run.scripts]
    assignments = [f"{variable}={value}" for variable, value in run.environment]
    first = run.scripts[0].name
    program = ["sh"] if first.endswith(".sh") else ["python3", "-B", "-s"]
    argv = [*(["env", *assignments] if assignments else []), *program, f"/stages/{first}"]
    return f"FROM {base} AS {name}\n" + " \\\n    ".join([*words, json.dumps(argv)])


def _scripts_of(node: Node) -> tuple[Script, ...]:
    match node:
        case Builder() | BuiltWheel() | Root() | SystemRoot() | Verify():
            return node.scripts
        case _:
            return ()


def _quoted(value: str) -> str:
    """A value as the Dockerfile grammar reads it back: quoted, with nothing to expand."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + '"'
