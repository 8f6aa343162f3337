"""How is a graph written for programs that draw graphs?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xpubuild.graph import Base, Builder, BuiltWheel, Fetch, Graph, Image, Node, Root, SystemRoot, Verify, inputs_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def dot(graph: Graph) -> str:
    """The DOT language of Graphviz."""
    lines = ["digraph image {", "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];']
    lines += [f'  "{node.name}" [label="{node.name}\\n{_about(node)}"];' for node in graph.nodes]
    lines += [f'  "{source}" -> "{target}";' for source, target in _edges(graph)]
    return "\n".join([*lines, "}"]) + "\n"


def mermaid(graph: Graph) -> str:
    """A Mermaid flowchart."""
    names = {node.name: f"n{place}" for place, node in enumerate(graph.nodes)}
    lines = ["flowchart LR"]
    lines += [f'  {names[node.name]}["{node.name}<br>{_about(node)}"]' for node in graph.nodes]
    lines += [f"  {names[source]} --> {names[target]}" for source, target in _edges(graph)]
    return "\n".join(lines) + "\n"


def _edges(graph: Graph) -> Iterator[tuple[str, str]]:
    return ((source, node.name) for node in graph.nodes for source in inputs_of(node))


def _about(node: Node) -> str:
    match node:
        case Base():
            return "base"
        case Fetch():
            return f"{len(node.artifacts)} files, {sum(file.size for file in node.artifacts) / 1e6:.1f} MB"
        case Builder():
            return "builder"
        case BuiltWheel():
            return f"{node.sdist.name} {node.sdist.version}"
        case Root():
            return f"{len(node.distributions)} distributions"
        case SystemRoot():
            return f"{len(node.debs)} Debian packages"
        case Verify():
            return "roots can be merged"
        case Image():
            return f"{len(node.roots)} layers on the base"
