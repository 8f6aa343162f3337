"""What do the answers of mirrors mean, and why could BuildKit not fetch a file?

BuildKit says `digest mismatch` for every answer that is no file: the mirror itself is asked.
"""

from __future__ import annotations

import hashlib
import re
import ssl
from typing import TYPE_CHECKING

from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from xpubuild.errors import BuildError, GoneError, TransientError, XpubuildError

if TYPE_CHECKING:
    import httpx

_GONE = (404, 410)
_BUSY = (408, 425, 429)
_REFUSED = (401, 403, 407)
_FIRST_SERVER_ERROR = 500
_OK = (200, 206)
_MISMATCH = "digest mismatch"
_LOCKED = re.compile(r"digest mismatch sha256:[0-9a-f]+: sha256:([0-9a-f]{64})")


def why_not_fetched(url: str, told: str) -> XpubuildError:
    """What is the matter with a file, as its mirror answers now; `told` are BuildKit's words."""
    import httpx

    told = shown(told)
    try:
        with http_client(seconds=30) as client:
            return _explained(client, url, told)
    except httpx.InvalidURL as fault:
        return BuildError(f"this is no address: {fault}", where=shown(url))
    except httpx.HTTPError as fault:
        return TransientError(f"the mirror of {_file(url)} does not answer: {fault}", where=shown(url))


def shown(text: str) -> str:
    """An address, or a text with addresses, without what may be passwords in them."""
    return re.sub(r"//[^/@\s]*@", "//", text)


def fault_of_answer(status: int, file: str, *, where: str) -> XpubuildError | None:
    """What an HTTP status means for a locked file; None when the file is served."""
    if status in _GONE:
        return GoneError(
            f"{file} is no longer on the mirror (it answers {status})",
            where=where,
            hint="run `xpubuild lock --refresh-system` for Debian packages; for wheels name another mirror",
        )
    if status in _BUSY or status >= _FIRST_SERVER_ERROR:
        return TransientError(f"the mirror of {file} is busy (it answers {status})", where=where)
    if status not in _OK:
        hint = "see its credentials" if status in _REFUSED else None
        return BuildError(f"the mirror refuses {file} (it answers {status})", where=where, hint=hint)
    return None


def http_client(*, seconds: float = 60) -> httpx.Client:
    """A client that trusts the certificates that this machine trusts, those of its own network included."""
    import httpx

    return httpx.Client(timeout=seconds, follow_redirects=True, verify=ssl.create_default_context())


def _explained(client: httpx.Client, url: str, told: str) -> XpubuildError:
    status = _status(client, url)
    file, where = _file(url), shown(url)
    if fault := fault_of_answer(status, file, where=where):
        return fault
    if _MISMATCH in told:
        return _mismatch(client, url, told)
    return TransientError(f"{file} could not be fetched, though the mirror has it now", where=where, details=told)


def _mismatch(client: httpx.Client, url: str, told: str) -> XpubuildError:
    """The mirror answers well now: read the whole file, for it may have been busy a moment ago."""
    locked = _LOCKED.search(told)
    digest = _digest(client, url)
    file = _file(url)
    if locked and digest == locked[1]:
        return TransientError(
            f"the mirror of {file} gave something else for a while, and is well now", where=shown(url)
        )
    return BuildError(
        f"{file} has other bytes than were locked",
        where=shown(url),
        hint="do not trust this mirror; compare with another one",
        details=f"locked  sha256:{locked[1]}\nserved  sha256:{digest}" if locked else told,
    )


def _status(client: httpx.Client, url: str) -> int:
    """One byte is asked for: some mirrors do not answer HEAD as they answer GET. A broken connection is tried again."""
    import httpx

    for attempt in Retrying(
        retry=retry_if_exception_type(httpx.TransportError),
        stop=stop_after_attempt(3),
        wait=wait_random_exponential(multiplier=0.2, max=2),
        reraise=True,
    ):
        with attempt, client.stream("GET", url, headers={"Range": "bytes=0-0"}) as answer:
            return answer.status_code
    raise AssertionError


def _digest(client: httpx.Client, url: str) -> str:
    digest = hashlib.sha256()
    with client.stream("GET", url, headers={"Accept-Encoding": "identity"}) as answer:
        for chunk in answer.iter_raw(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _file(url: str) -> str:
    return url.rsplit("/", 1)[-1]
