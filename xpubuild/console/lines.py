"""What is said in one line about a node or a check?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xpubuild.console.quantities import seconds_text, size_text
from xpubuild.progress import EXPORT

if TYPE_CHECKING:
    from xpubuild.ports.events import CheckEnded
    from xpubuild.progress import NodeProgress

LONG_SECONDS = 30
"""A node that runs longer is told of again and again."""


def node_line(node: NodeProgress) -> str:
    """One node in one line: `root-torch: done in 31 s, 906.5 MB`."""
    match node.state:
        case "running" if node.seconds >= LONG_SECONDS:
            said = [f"running for {seconds_text(node.seconds)}", doing_text(node), moved_text(node)]
        case "done":
            said = [f"done in {seconds_text(node.seconds)}", size_text(node.total) if node.total else ""]
        case _:
            said = [node.state]
    return f"{node.name}: {', '.join(part for part in said if part)}"


def doing_text(node: NodeProgress) -> str:
    """What the export does just now; for other nodes their name says it."""
    return node.step if node.name == EXPORT and node.state == "running" else ""


def moved_text(node: NodeProgress) -> str:
    """Bytes so far, in all, and a second: `120.0 MB of 906.5 MB, 12.3 MB/s`; empty where none are told."""
    if not node.total:
        return ""
    rate = f", {size_text(node.rate)}/s" if node.state == "running" and node.rate else ""
    return f"{size_text(node.current)} of {size_text(node.total)}{rate}"


def check_line(event: CheckEnded) -> str:
    """One check in one line: `passed  torch-import (12 s)`."""
    reason = f": {event.reason}" if event.reason else ""
    return f"{event.status:<7} {event.name} ({seconds_text(event.seconds)}){reason}"
