"""What identifies the content of each node?

A node key is the sha256 of the canonical JSON of all that the node declares as input. The JSON is kept, so that two
keys can be compared input by input. Mirrors, paths, clocks and the names that people give to nodes are no input.
"""

from __future__ import annotations

import hashlib
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

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xpubuild.model.artifact import Artifact

Document = Any
"""Parsed JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """A node with its key (64 hexadecimal digits) and the canonical JSON that the key is the digest of."""

    node: Node
    key: str
    document: str


def keyed(graph: Graph) -> tuple[Keyed, ...]:
    """Every node of the graph with its key, in the graph's order (inputs before what they go into)."""
    keys: dict[str, str] = {}
    found = []
    for node in graph.nodes:
        document = canonical_json(_document_of(node, keys))
        keys[node.name] = text_digest(document)
        found.append(Keyed(node=node, key=keys[node.name], document=document))
    return tuple(found)


def canonical_json(document: Document) -> str:
    """The one text of a document: sorted members, no white space."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def text_digest(text: str) -> str:
    """The sha256 of a text in UTF-8: 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def _document_of(node: Node, keys: Mapping[str, str]) -> Document:
    match node:
        case Base():
            return {"kind": "base", "digest": node.digest}
        case Fetch():
            return {"kind": "fetch", "files": [_file(artifact) for artifact in node.artifacts]}
        case Builder():
            return {
                "kind": "builder",
                "base": keys[node.base],
                "uv": keys[node.fetch],
                "scripts": _scripts(node.scripts),
            }
        case BuiltWheel():
            return {
                "kind": "wheel",
                "name": node.sdist.name,
                "version": node.sdist.version,
                "builder": keys[node.builder],
                "files": keys[node.fetch],
                "scripts": _scripts(node.scripts),
            }
        case Root():
            return {
                "kind": "root",
                "builder": keys[node.builder],
                "files": keys[node.fetch] if node.fetch else None,
                "wheels": [keys[name] for name in node.built],
                "layout": text_digest(node.layout),
                "scripts": _scripts(node.scripts),
            }
        case SystemRoot():
            return {
                "kind": "system",
                "base": keys[node.base],
                "builder": keys[node.builder],
                "files": keys[node.fetch],
                "epoch": node.epoch,
                "scripts": _scripts(node.scripts),
            }
        case Verify():
            return {
                "kind": "verify",
                "base": keys[node.base],
                "builder": keys[node.builder],
                "roots": [keys[name] for name in node.roots],
                "scripts": _scripts(node.scripts),
            }
        case Image():
            return {
                "kind": "image",
                "base": keys[node.base],
                "roots": [keys[name] for name in node.roots],
                "environment": [list(pair) for pair in node.environment],
                "entrypoint": list(node.entrypoint),
                "command": list(node.command),
                "labels": [list(pair) for pair in node.labels],
                "epoch": node.epoch,
            }
        case _:
            assert_never(node)


def _file(artifact: Artifact) -> list[str]:
    return [artifact.file, artifact.sha256]


def _scripts(scripts: tuple[Script, ...]) -> Document:
    return {script.name: text_digest(script.text) for script in scripts}
