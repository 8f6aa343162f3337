"""A registry as the OCI distribution specification has it, as far as builds read from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from xpubuild.model.reference import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer of an image: its digest, media type and compressed size in bytes."""

    digest: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteImage:
    """A single image manifest that a registry holds, with its configuration's labels and its layers, lowest first."""

    digest: str
    media_type: str
    configuration: str
    labels: tuple[tuple[str, str], ...]
    layers: tuple[Layer, ...]

    @property
    def size(self) -> int:
        """Compressed bytes of all layers."""
        return sum(layer.size for layer in self.layers)


class Registry(Protocol):
    """Registries, over HTTP."""

    def image(self, where: Repository, reference: str) -> RemoteImage | None:
        """The image of a tag or digest; None when the registry has no such manifest.

        Raises:
            BuildError: what is there is no single image manifest, or its bytes do not fit its digest.
            TransientError: the registry does not answer or is busy.
        """

    def holds_all(self, where: Repository, image: RemoteImage) -> bool:
        """Whether the registry has each blob of the image, by HEAD."""
