"""What BuildKit says when a build fails, word by word, and what becomes of it."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from tests.samples import events_of, others_of, state_of
from xpubuild.adapters.failures import explain
from xpubuild.errors import BuildError, MachineError, TransientError, XpubuildError
from xpubuild.progress import Building, fold, node_of

if TYPE_CHECKING:
    from pathlib import Path

BLOB = "http://127.0.0.1:5077/v2/t/x/blobs/sha256:b41f27b4429503d9b8236cb93f8874d88f7d7bd1c72c9bbc3888b99779cea500"
HEAD = f"failed to push 127.0.0.1:5077/t/x:y: unexpected status from HEAD request to {BLOB}"


def failed(name: str, error: str) -> Building:
    return fold(
        Building(), {"vertexes": [{"digest": "a", "name": name, "error": error, "completed": "2026-12-01T07:00:00Z"}]}
    )


def explained(name: str, error: str, logs: Path, *others: str) -> XpubuildError:
    return explain(failed(name, error), list(others), logs=logs, data_root="/data")


def test_a_failed_step_is_told_by_its_command_its_last_lines_and_its_log(tmp_path: Path) -> None:
    names = {told["digest"]: told["name"] for event in events_of("failed") for told in event.get("vertexes") or ()}
    for event in events_of("failed"):
        for told in event.get("logs") or ():
            with (tmp_path / f"{node_of(names[told['vertex']])}.log").open("ab") as log:
                log.write(base64.b64decode(told["data"]))
    fault = explain(state_of("failed"), others_of("failed"), logs=tmp_path, data_root=None)
    assert (type(fault), fault.where, fault.brief) == (BuildError, "root-torch", "the step ended with exit code 3")
    assert (fault.details or "").splitlines()[1:] == [f"noise {number}" for number in range(11, 31)]
    assert (fault.details or "").startswith("RUN sleep 1; echo REAL CAUSE ")
    assert fault.hint == f"its whole output is in {tmp_path}/root-torch.log"


@pytest.mark.parametrize(
    ("error", "kind", "brief"),
    [
        (f"{HEAD}: 401 Unauthorized", BuildError, "the image was built, but the registry 127.0.0.1:5077 refuses it"),
        (f"{HEAD}: 403 Forbidden", BuildError, "the image was built, but the registry 127.0.0.1:5077 refuses it"),
        (
            "failed to push r.example/x:y: denied: unknown manifest class for application/vnd.oci.empty.v1+json",
            BuildError,
            "the image was built, but the registry r.example refuses it",
        ),
        (
            f"{HEAD}: 400 Bad Request",
            BuildError,
            "the image was built, but cannot be pushed to the registry 127.0.0.1:5077",
        ),
        *(
            (error, TransientError, "the image was built, but the registry 127.0.0.1:5077 does not take it now")
            for error in (
                f"{HEAD}: 429 Too Many Requests",
                f"{HEAD}: 500 Internal Server Error",
                f"{HEAD}: 503 Service Unavailable",
                "failed to push 127.0.0.1:5077/t/x:y: dial tcp 127.0.0.1:5077: connect: connection refused",
                "failed to push 127.0.0.1:5077/t/x:y: unknown: blob upload unknown to registry",
            )
        ),
        ("failed to read layer", BuildError, "the image was built, but not exported"),
    ],
)
def test_a_failed_push_is_told_by_the_answer_and_not_by_digits_of_a_digest(
    tmp_path: Path, error: str, *, kind: type[XpubuildError], brief: str
) -> None:
    fault = explained("exporting to image", error, tmp_path)
    assert (type(fault), fault.brief) == (kind, brief)
    assert (fault.details or "") in error


@pytest.mark.parametrize(
    ("name", "error", "log", "brief"),
    [
        ("[root-x 1/1] RUN x", "exit code: 1", "OSError: No space left on device\n", "the disk became full in root-x"),
        ("[root-x 1/1] RUN x", "write /x: no space left on device", "", "the disk became full in root-x"),
        ("exporting to image", "write /x: no space left on device", "", "the disk became full in export"),
        ("[internal] load build context", "write /x: no space left on device", "", "the disk is full"),
    ],
)  # fmt: skip
def test_a_full_disk_is_named_as_such(tmp_path: Path, name: str, error: str, *, log: str, brief: str) -> None:
    (tmp_path / "root-x.log").write_text(log)
    fault = explained(name, error, tmp_path)
    assert (type(fault), fault.brief, fault.where) == (MachineError, brief, "/data")
    assert "docker builder prune" in (fault.hint or "")


def test_a_killed_step_is_told_as_such(tmp_path: Path) -> None:
    fault = explained("[root-x 1/1] RUN x", 'process "x" did not complete successfully: exit code: 137', tmp_path)
    assert fault.brief == "the step was killed (exit code 137), most likely because memory ran out"


def test_a_mirror_whose_certificate_the_engine_does_not_trust(tmp_path: Path) -> None:
    error = 'Get "https://u:secret@mirror.example/x.whl": tls: failed to verify certificate: x509: unknown authority'
    fault = explained("[f 1/1] ADD --link https://u:secret@mirror.example/x.whl /", error, tmp_path)
    assert (type(fault), fault.where) == (MachineError, "https://mirror.example/x.whl")
    assert "secret" not in f"{fault} {fault.details} {fault.hint}"


def test_what_buildx_says_before_any_step_is_shown_without_its_wrapping(tmp_path: Path) -> None:
    lines = [
        "Dockerfile:1", "--------------------", "   1 | >>> FROMM x", "--------------------",
        "ERROR: failed to solve: dockerfile parse error on line 1: unknown instruction: FROMM (did you mean FROM?)",
    ]  # fmt: skip
    fault = explain(Building(), lines, logs=tmp_path, data_root=None)
    assert (type(fault), fault.brief, fault.details) == (
        BuildError,
        "the build failed before any step",
        "dockerfile parse error on line 1: unknown instruction: FROMM (did you mean FROM?)",
    )


@pytest.mark.parametrize(
    "line",
    [
        "ERROR: Cannot connect to the Docker daemon at unix:///none.sock. Is the docker daemon running?",
        "ERROR: failed to receive status: rpc error: code = Unavailable desc = error reading from server: EOF",
    ],
)
def test_an_engine_that_went_away_is_told_as_such(tmp_path: Path, line: str) -> None:
    running = fold(
        Building(), {"vertexes": [{"digest": "a", "name": "[r 1/1] RUN x", "started": "2026-12-01T07:00:00Z"}]}
    )
    fault = explain(running, [line], logs=tmp_path, data_root="/data")
    assert (type(fault), fault.brief) == (MachineError, "the engine went away during the build")
