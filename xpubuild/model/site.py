"""From where does this site fetch each origin?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xpubuild.errors import InputError

if TYPE_CHECKING:
    from xpubuild.model.artifact import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The base URL of each origin scheme, without a trailing slash. Part of no key and of no lock."""

    mirrors: tuple[tuple[str, str], ...]

    def url_of(self, origin: Origin) -> str:
        """Where to fetch an origin from.

        Raises:
            InputError: this site has no mirror for the origin's scheme.
        """
        for scheme, base in self.mirrors:
            if scheme == origin.scheme:
                return f"{base}/{origin.path}"
        raise InputError(
            f"no mirror is known for {origin.scheme}: origins",
            where=f"configuration: mirrors.{origin.scheme}",
            hint="name one in the site's configuration file",
        )
