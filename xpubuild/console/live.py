"""How does a build look on a terminal while it runs?"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, assert_never

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from xpubuild.console.lines import check_line, doing_text, moved_text
from xpubuild.console.quantities import seconds_text
from xpubuild.ports.events import BuildProgressed, CheckEnded, CheckStarted, Noted
from xpubuild.progress import Building, later, nodes

if TYPE_CHECKING:
    from rich.console import Console

    from xpubuild.ports.events import Event
    from xpubuild.progress import NodeProgress

ROWS = 16
_MARKS = {"running": "▸", "done": "✓", "cached": "=", "failed": "✗", "cancelled": "-", "waiting": "·"}
_STYLES = {
    "running": "cyan", "done": "green", "cached": "dim", "failed": "bold red", "cancelled": "yellow", "waiting": "dim",
}  # fmt: skip
_CHECK_STYLES = {"passed": "green", "failed": "bold red", "skipped": "yellow"}


class LiveView:
    """The nodes of a build drawn in place, six times a second at most; whatever else is said scrolls above them."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None
        self._state = Building()
        self._heard = 0.0
        self._remarks = 0

    def emit(self, event: Event) -> None:
        """Draw one event."""
        match event:
            case BuildProgressed():
                self._follow(event.state)
            case Noted():
                self._say(event.text)
            case CheckStarted():
                self.end()
            case CheckEnded():
                self._say(check_line(event), style=_CHECK_STYLES[event.status])
            case _:
                assert_never(event)

    def end(self) -> None:
        """Leave what is drawn as it is."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _follow(self, state: Building) -> None:
        for remark in state.remarks[self._remarks :]:
            self._console.print(Text(remark), soft_wrap=True)
        self._remarks = len(state.remarks)
        self._state, self._heard = state, monotonic()
        if self._live is None:
            # Drawn when it is shown, not at each event: a cold build tells dozens a second.
            # Standard output is left alone: data goes there.
            self._live = Live(
                console=self._console, get_renderable=self._drawn, refresh_per_second=6,
                redirect_stdout=False, redirect_stderr=False,
            )  # fmt: skip
            self._live.start()

    def _drawn(self) -> Group:
        return build_view(later(self._state, monotonic() - self._heard))

    def _say(self, text: str, *, style: str = "") -> None:
        self.end()
        self._console.print(Text(text, style=style), soft_wrap=True)


def build_view(state: Building, *, rows: int = ROWS) -> Group:
    """At most `rows` nodes: what runs or failed, before it what ended last; and how many there are of each."""
    everything = nodes(state)
    running = [node for node in everything if node.state in {"running", "failed"}][:rows]
    ended = [node for node in everything if node.state in {"done", "cached", "cancelled"}]
    room = rows - len(running)
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(no_wrap=True, justify="right")
    for node in [*(ended[-room:] if room else []), *running]:
        table.add_row(*_cells(node))
    return Group(table, Text(_counts(everything), style="dim"))


def _cells(node: NodeProgress) -> tuple[Text, Text, Text, Text]:
    about = ", ".join(part for part in (doing_text(node), moved_text(node)) if part)
    elapsed = seconds_text(node.seconds) if node.seconds else ""
    return Text(_MARKS[node.state], style=_STYLES[node.state]), Text(node.name), Text(about), Text(elapsed)


def _counts(everything: tuple[NodeProgress, ...]) -> str:
    counts = [(state, sum(node.state == state for node in everything)) for state in _MARKS]
    return ", ".join(f"{count} {state}" for state, count in counts if count)
