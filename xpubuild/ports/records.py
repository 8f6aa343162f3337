"""What is remembered of earlier builds on this machine. Losing it loses no release, only forecasts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xpubuild.keys import Keyed
    from xpubuild.plan import Known


class Records(Protocol):
    """Which nodes each engine built, and from what."""

    def known(self, *, engine: str, image: str) -> Known:
        """What an engine (by its id) is known to hold; `documents` are those of the last build of `image`."""

    def remember(self, nodes: tuple[Keyed, ...], *, engine: str, image: str, seconds: Mapping[str, float]) -> None:
        """These nodes were built: `seconds` by node name, for those that ran."""

    def forget(self, *, engine: str) -> None:
        """The engine lost what it held."""
