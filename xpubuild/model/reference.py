"""What names an image in a registry?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from xpubuild.errors import InputError

_REPOSITORY = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*")
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """One repository (OCI distribution specification, `name`) in the registry at `host`, with its port."""

    host: str
    path: str

    def __str__(self) -> str:
        return f"{self.host}/{self.path}"

    def tagged(self, tag: str) -> str:
        """The reference of a tag.

        Raises:
            InputError: no valid tag (OCI distribution specification).
        """
        if not is_tag(tag):
            raise InputError(
                f"{tag!r} is no valid tag", where=str(self), hint="letters, digits, `_`, `.`, `-`; at most 128"
            )
        return f"{self}:{tag}"

    def digested(self, digest: str) -> str:
        """The reference of a digest, `sha256:…`."""
        return f"{self}@{digest}"


def repository(host: str, path: str) -> Repository:
    """Parse once.

    Raises:
        InputError: no valid repository name.
    """
    if not _REPOSITORY.fullmatch(path):
        raise InputError(
            f"{path!r} is no valid repository name", where=host, hint="lower case letters, digits, `.`, `_`, `-`"
        )
    return Repository(host=host, path=path)


def is_tag(text: str) -> bool:
    """Whether the text is a valid tag (OCI distribution specification)."""
    return _TAG.fullmatch(text) is not None


def is_digest(text: str) -> bool:
    """Whether the text is a sha256 digest as registries write it."""
    return _DIGEST.fullmatch(text) is not None
