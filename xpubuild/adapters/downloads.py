"""Bring locked files to this machine, verified, and tell apart gone, refused, busy and other bytes."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from xpubuild.adapters.mirrors import fault_of_answer, http_client
from xpubuild.errors import BuildError, MachineError, TransientError, XpubuildError, raise_all

if TYPE_CHECKING:
    from collections.abc import Iterable

    import httpx

    from xpubuild.model.artifact import Artifact
    from xpubuild.model.site import Site

_AT_ONCE = 4
_PATIENCE_SECONDS = 120


class Downloads:
    """A cache of files by their sha256 below `directory`, filled from a site's mirrors."""

    def __init__(self, directory: Path, site: Site) -> None:
        self._directory = directory
        self._site = site

    def fetch(self, artifacts: Iterable[Artifact]) -> tuple[Path, ...]:
        """The local files of the artifacts, in their order; each was verified when it was written.

        Raises:
            GoneError, BuildError, TransientError: as each file's fault is; all at once.
        """
        wanted = tuple(artifacts)
        with http_client() as client, ThreadPoolExecutor(_AT_ONCE) as pool:
            each = dict.fromkeys(wanted)
            outcomes = dict(zip(each, pool.map(lambda artifact: self._have(client, artifact), each), strict=True))
        raise_all(outcome for outcome in outcomes.values() if isinstance(outcome, XpubuildError))
        return tuple(outcome for outcome in map(outcomes.get, wanted) if isinstance(outcome, Path))

    def _have(self, client: httpx.Client, artifact: Artifact) -> Path | XpubuildError:
        place = self._directory / artifact.sha256 / artifact.file
        if place.exists():
            return place
        try:
            for attempt in Retrying(
                retry=retry_if_exception_type(TransientError),
                stop=stop_after_delay(_PATIENCE_SECONDS),
                wait=wait_random_exponential(multiplier=0.5, max=20),
                reraise=True,
            ):
                with attempt:
                    self._download(client, artifact, place)
        except XpubuildError as fault:
            return fault
        return place

    def _download(self, client: httpx.Client, artifact: Artifact, place: Path) -> None:
        import httpx

        url = self._site.url_of(artifact.origin)
        digest = hashlib.sha256()
        partial = place.with_name(f".{place.name}.{os.getpid()}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with client.stream("GET", url) as answer, partial.open("wb") as target:
                refuse_answer(answer.status_code, artifact)
                for chunk in answer.iter_bytes(1 << 20):
                    digest.update(chunk)
                    target.write(chunk)
            if digest.hexdigest() != artifact.sha256:
                raise _other_bytes(artifact, digest.hexdigest())
            partial.replace(place)
        except httpx.TransportError as fault:
            raise TransientError(f"the mirror does not answer: {fault}", where=str(artifact.origin)) from fault
        except OSError as fault:
            raise MachineError(
                f"{artifact.file} cannot be kept: {fault.strerror}",
                where=str(self._directory),
                hint="free some disk, or choose another one: XPUBUILD_STATE",
            ) from fault
        finally:
            with suppress(OSError):
                partial.unlink()


def refuse_answer(status: int, artifact: Artifact) -> None:
    """Raise what an HTTP status means for a locked file, when the file is not served.

    Raises:
        GoneError, TransientError, BuildError: see `mirrors.fault_of_answer`.
    """
    if fault := fault_of_answer(status, artifact.file, where=str(artifact.origin)):
        raise fault


def _other_bytes(artifact: Artifact, digest: str) -> BuildError:
    return BuildError(
        f"{artifact.file} has other bytes than were locked: sha256 {digest} instead of {artifact.sha256}",
        where=str(artifact.origin),
        hint="do not trust this mirror; compare with another one",
    )
