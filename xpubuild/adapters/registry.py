"""Read images from registries over HTTP (OCI distribution specification 1.1)."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from xpubuild.errors import BuildError, TransientError
from xpubuild.ports.registry import Layer, RemoteImage

if TYPE_CHECKING:
    import httpx

    from xpubuild.model.reference import Repository

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
INDEX = "application/vnd.oci.image.index.v1+json"
DOCKER_LIST = "application/vnd.docker.distribution.manifest.list.v2+json"
_ACCEPT = f"{MANIFEST}, {DOCKER_MANIFEST}, {INDEX}, {DOCKER_LIST}"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_FIRST_SERVER_ERROR = 500
_BUSY = 429
_NOT_FOUND = 404


class HttpRegistry:
    """`ports.registry.Registry`; plain HTTP on loopback only."""

    def image(self, where: Repository, reference: str) -> RemoteImage | None:
        """See the port."""
        answer = self._ask("GET", where, f"manifests/{reference}", accept=_ACCEPT)
        if answer.status_code == _NOT_FOUND:
            return None
        _refuse(answer, where)
        media_type = answer.headers.get("Content-Type", "").split(";")[0]
        if media_type not in {MANIFEST, DOCKER_MANIFEST}:
            raise BuildError(f"{reference} is no single image manifest but {media_type}", where=str(where))
        digest = f"sha256:{hashlib.sha256(answer.content).hexdigest()}"
        told = answer.headers.get("Docker-Content-Digest", digest)
        if told != digest or (reference.startswith("sha256:") and reference != digest):
            raise BuildError(f"the registry's bytes for {reference} have the digest {digest}", where=str(where))
        return self._described(where, digest, answer)

    def holds_all(self, where: Repository, image: RemoteImage) -> bool:
        """See the port."""
        digests = (image.configuration, *dict.fromkeys(layer.digest for layer in image.layers))
        return all(self._holds(where, digest) for digest in digests)

    def _holds(self, where: Repository, digest: str) -> bool:
        answer = self._ask("HEAD", where, f"blobs/{digest}")
        if answer.status_code == _NOT_FOUND:
            return False
        _refuse(answer, where)
        return True

    def _described(self, where: Repository, digest: str, answer: httpx.Response) -> RemoteImage | None:
        manifest = answer.json()
        blob = self._ask("GET", where, f"blobs/{manifest['config']['digest']}")
        if blob.status_code == _NOT_FOUND:
            return None
        _refuse(blob, where)
        configuration: dict[str, Any] = json.loads(blob.content)
        labels = configuration.get("config", {}).get("Labels") or {}
        layers = tuple(
            Layer(digest=layer["digest"], media_type=layer["mediaType"], size=layer["size"])
            for layer in manifest["layers"]
        )
        return RemoteImage(
            digest=digest,
            media_type=manifest.get("mediaType", MANIFEST),
            configuration=manifest["config"]["digest"],
            labels=tuple(sorted(labels.items())),
            layers=layers,
        )

    def _ask(self, method: str, where: Repository, path: str, *, accept: str = "*/*") -> httpx.Response:
        import httpx

        host = where.host.rsplit(":", 1)[0]
        url = f"{'http' if host in _LOOPBACK else 'https'}://{where.host}/v2/{where.path}/{path}"
        for attempt in Retrying(
            retry=retry_if_exception_type(TransientError),
            stop=stop_after_attempt(4),
            wait=wait_random_exponential(multiplier=0.2, max=3),
            reraise=True,
        ):
            with attempt:
                try:
                    answer = httpx.request(method, url, headers={"Accept": accept}, timeout=30, follow_redirects=True)
                except httpx.TransportError as fault:
                    raise TransientError(f"the registry does not answer: {fault}", where=str(where)) from fault
                if answer.status_code == _BUSY or answer.status_code >= _FIRST_SERVER_ERROR:
                    raise TransientError(f"the registry answers {answer.status_code}", where=str(where))
                return answer
        raise AssertionError


def _refuse(answer: httpx.Response, where: Repository) -> None:
    if not answer.is_success:
        raise BuildError(f"the registry answers {answer.status_code}", where=str(where), details=answer.text[:500])
