"""Read members of a zip file that lies on a server, by Range requests (RFC 9110), without fetching the file."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from xpubuild.adapters.downloads import refuse_answer
from xpubuild.errors import BuildError, TransientError

if TYPE_CHECKING:
    import httpx

    from xpubuild.model.artifact import Artifact

_TAIL = 128 << 10
_PARTIAL = 206


def open_remote_zip(client: httpx.Client, url: str, artifact: Artifact) -> zipfile.ZipFile:
    """A zip file over HTTP; its central directory is fetched now, members when they are read.

    Raises:
        GoneError, BuildError, TransientError: the file cannot be reached, or is no zip.
    """
    try:
        file = _RangeFile(client, url, artifact)
        return zipfile.ZipFile(io.BufferedReader(file, 64 << 10))  # type: ignore[type-var]
    except zipfile.BadZipFile as fault:
        raise BuildError(f"{artifact.file} is no zip file", where=str(artifact.origin)) from fault


class _RangeFile(io.RawIOBase):
    """A read-only file whose bytes are asked for as they are needed; the tail, where zip keeps its directory, first."""

    def __init__(self, client: httpx.Client, url: str, artifact: Artifact) -> None:
        self._client = client
        self._url = url
        self._artifact = artifact
        self._position = 0
        self._tail_start = max(0, artifact.size - _TAIL)
        self._tail = self._ask(self._tail_start, artifact.size)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._artifact.size}[whence]
        self._position = start + offset
        return self._position

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        end = min(self._position + len(buffer), self._artifact.size)
        if end <= self._position:
            return 0
        if self._position >= self._tail_start:
            content = self._tail[self._position - self._tail_start : end - self._tail_start]
        else:
            content = self._ask(self._position, end)
        buffer[: len(content)] = content
        self._position += len(content)
        return len(content)

    def _ask(self, start: int, end: int) -> bytes:
        for attempt in Retrying(
            retry=retry_if_exception_type(TransientError),
            stop=stop_after_attempt(5),
            wait=wait_random_exponential(multiplier=0.3, max=10),
            reraise=True,
        ):
            with attempt:
                return self._ask_once(start, end)
        raise AssertionError

    def _ask_once(self, start: int, end: int) -> bytes:
        import httpx

        try:
            answer = self._client.get(self._url, headers={"Range": f"bytes={start}-{end - 1}"})
        except httpx.TransportError as fault:
            raise TransientError(f"the index does not answer: {fault}", where=str(self._artifact.origin)) from fault
        refuse_answer(answer.status_code, self._artifact)
        content = answer.content if answer.status_code == _PARTIAL else answer.content[start:end]
        if len(content) != end - start:
            raise TransientError("the index sent fewer bytes than asked for", where=str(self._artifact.origin))
        return content
