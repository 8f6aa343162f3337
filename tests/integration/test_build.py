"""Builds on the real engine, looked at in the registry and in containers."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.conftest import xpubuild
from tests.values import deb, sha256
from xpubuild.model.artifact import Origin
from xpubuild.model.lock import LocalFile

if TYPE_CHECKING:
    from tests.tiny import Mirror, Tiny

pytestmark = pytest.mark.engine

MANIFEST = "application/vnd.oci.image.manifest.v1+json"


@dataclass
class Outcome:
    code: int
    events: list[dict[str, Any]]
    errors: str

    @property
    def built(self) -> dict[str, Any]:
        assert self.code == 0, self.errors
        return self.events[-1]

    def states(self) -> dict[str, str]:
        return {event["node"]: event["state"] for event in self.events if event["event"] == "node"}


def build(tiny: Tiny, *words: str, patience: str = "0") -> Outcome:
    done = xpubuild("build", "1.0", "--json", *words, **tiny.environment, XPUBUILD_PATIENCE=patience)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return Outcome(done.returncode, events, done.stderr)


def manifest(address: str, digest: str) -> dict[str, Any]:
    url = f"http://{address}/v2/tests/tiny/manifests/{digest}"
    answer = httpx.get(url, headers={"Accept": MANIFEST})
    answer.raise_for_status()
    assert answer.headers["Docker-Content-Digest"] == digest
    return answer.json()  # type: ignore[no-any-return]


def test_a_build_ends_in_the_registry_and_its_tests_pass_in_containers(tiny: Tiny, registry_address: str) -> None:
    built = build(tiny).built
    assert built["checks"] == {"passed": 2, "failed": 0, "skipped": 0}
    stored = manifest(registry_address, built["digest"])
    assert stored["mediaType"] == MANIFEST
    assert {layer["mediaType"] for layer in stored["layers"]} == {"application/vnd.oci.image.layer.v1.tar+zstd"}
    assert [layer["digest"] for layer in stored["layers"]] == [layer["digest"] for layer in built["layers"]]


def test_a_second_build_runs_nothing(tiny: Tiny) -> None:
    first = build(tiny, "--no-test").built
    second = build(tiny, "--no-test")
    assert second.built["digest"] == first["digest"]
    assert second.states() == {}


def test_a_bumped_pin_rebuilds_its_root_alone_and_moves_its_layer_alone(tiny: Tiny) -> None:
    before = build(tiny, "--no-test").built
    tiny.have("beta", "2.0")
    after = build(tiny, "--no-test")
    ran = {node for node, state in after.states().items() if state == "done"}
    assert ran == {"fetch-beta", "root-beta", "verify", "image", "export"}
    assert after.built["rebuilt"] == ["fetch-beta", "root-beta", "verify", "image"]
    assert after.built["missed"] == []
    old = [layer["digest"] for layer in before["layers"]]
    new = [layer["digest"] for layer in after.built["layers"]]
    assert len(set(new) - set(old)) == 1, "only the layer of beta is another"


def test_the_forecast_holds_when_the_image_has_to_be_put_together_again(tiny: Tiny, registry_address: str) -> None:
    built = build(tiny, "--no-test").built
    httpx.delete(f"http://{registry_address}/v2/tests/tiny/manifests/{built['digest']}").raise_for_status()
    again = build(tiny, "--no-test").built
    assert (again["digest"], again["missed"], again["rebuilt"]) == (built["digest"], [], [])
    manifest(registry_address, built["digest"])


def test_the_forecast_of_a_build_without_cache_holds(tiny: Tiny) -> None:
    built = build(tiny, "--no-test", "--no-cache").built
    assert built["missed"] == []


def test_a_failed_step_shows_its_own_words_and_its_log(tiny: Tiny) -> None:
    script = tiny.folder / "buildkit/stages/verify_roots.py"
    noise = "print('REAL CAUSE'); [print('noise', n) for n in range(400)]; print('last words'); raise SystemExit(3)"
    script.write_text(f"{noise}\n")
    outcome = build(tiny, "--no-test")
    assert outcome.code == 6
    (error,) = outcome.events[-1]["errors"]
    assert (error["where"], error["brief"]) == ("verify", "the step ended with exit code 3")
    assert error["details"].splitlines()[-1] == "last words"
    assert "ERROR: failed to solve" not in outcome.errors
    log = error["hint"].rsplit(" ", 1)[-1]
    with open(log, encoding="utf-8") as lines:  # noqa: PTH123
        assert lines.readline() == "REAL CAUSE\n"


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (404, 4, "is no longer on the mirror"),
        (403, 6, "the mirror refuses"),
        (503, 75, "is busy"),
        (429, 75, "is busy"),
    ],
)
def test_a_mirror_that_does_not_give_a_file_is_told_rightly(
    tiny: Tiny, mirror: Mirror, *, status: int, code: int, words: str
) -> None:
    wheel = tiny.have("gamma", f"0.{status}")
    mirror.faults[wheel.artifact.origin.path] = [status]
    outcome = build(tiny, "--no-test")
    assert outcome.code == code, outcome.errors
    (error,) = outcome.events[-1]["errors"]
    assert words in error["brief"]
    assert wheel.artifact.file in error["brief"]


def test_a_busy_mirror_is_asked_again(tiny: Tiny, mirror: Mirror) -> None:
    wheel = tiny.have("gamma", "0.1")
    mirror.faults[wheel.artifact.origin.path] = [503, 503, 0]
    assert build(tiny, "--no-test", patience="60").code == 0


def test_other_bytes_than_locked_are_refused(tiny: Tiny) -> None:
    wheel = tiny.have("gamma", "0.2")
    tiny.mirror.files[wheel.artifact.origin.path] += b"tampered"
    outcome = build(tiny, "--no-test")
    assert outcome.code == 6
    (error,) = outcome.events[-1]["errors"]
    assert "has other bytes than were locked" in error["brief"]


def test_two_roots_with_other_bytes_at_one_path_are_refused(tiny: Tiny) -> None:
    for name in ("one", "two"):
        tiny.have(name, "1.0", {f"{name}/__init__.py": "__version__ = '1'\n", "google/shared.py": f"{name}\n"})
    outcome = build(tiny, "--no-test")
    assert outcome.code == 6
    (error,) = outcome.events[-1]["errors"]
    assert error["where"] == "verify"
    assert "google/shared.py: root-one and root-two have different content there" in error["details"]


def test_two_roots_with_the_same_bytes_at_one_path_are_merged(tiny: Tiny) -> None:
    for name in ("one", "two"):
        tiny.have(name, "1.0", {f"{name}/__init__.py": "__version__ = '1'\n", "google/shared.py": "same\n"})
    assert build(tiny).built["checks"]["passed"] == 4


@pytest.mark.parametrize("target", ["/lib/x86_64-linux-gnu/libxpu.so", "/bin/tool", "/tmp/state/file"])
def test_a_root_that_would_break_the_base_is_refused(tiny: Tiny, target: str) -> None:
    recipe = tiny.folder / "recipes" / "alpha.py"
    (tiny.folder / "recipes" / "payload").write_text("payload\n")
    text = recipe.read_text().replace("Facts, Recipe", "Facts, File, Recipe")
    recipe.write_text(
        text.replace("    distributions", f'    files=(File(source="payload", target="{target}"),),\n    distributions')
    )
    done = xpubuild("lock", "1.0", "--check", **tiny.environment)
    assert done.returncode == 3, done.stderr
    tiny.write(replace(tiny.lock(), files=(LocalFile(path="recipes/payload", sha256=sha256("payload\n")),)))
    outcome = build(tiny, "--no-test")
    assert outcome.code == 6, outcome.errors
    assert "these roots cannot be merged" in outcome.events[-1]["errors"][0]["details"]


def test_a_gone_deb_stops_a_build_and_a_local_lock_builds_aloud(tiny: Tiny) -> None:
    recipe = tiny.folder / "recipes" / "alpha.py"
    recipe.write_text(recipe.read_text().replace("    distributions", '    system=("tree",),\n    distributions'))
    gone = replace(
        deb("tree", "0.0-1"),
        artifact=replace(deb("tree").artifact, origin=Origin("debian", "pool/main/t/tree/gone.deb")),
    )
    made = tiny.lock()
    tiny.write(replace(made, system=(gone,), request=replace(made.request, system=("tree",))))
    committed = (tiny.folder / "images/tiny/1.0.cuda.lock").read_bytes()
    stopped = build(tiny)
    assert stopped.code == 4, stopped.errors
    assert "lock --refresh-system" in stopped.events[-1]["errors"][0]["hint"]
    outcome = build(tiny, "--local-lock")
    assert outcome.built["checks"]["passed"] == 2
    (note,) = [event["text"] for event in outcome.events if event["event"] == "note" and "WARNING" in event["text"]]
    assert "ON THIS MACHINE ONLY" in note
    assert "tree_0.0-1_amd64.deb" in note or "tree_1.0_amd64.deb" in note
    assert (tiny.folder / "images/tiny/1.0.cuda.lock").read_bytes() == committed


def test_a_failed_check_fails_the_build_and_names_its_log(tiny: Tiny) -> None:
    tiny.have("alpha", "3.0", {"alpha/__init__.py": "raise ImportError('broken on purpose')\n"})
    outcome = build(tiny)
    assert outcome.code == 7
    (error,) = outcome.events[-1]["errors"]
    assert error["brief"] == "alpha-runs failed: exit code 1 instead of 0"
    assert "broken on purpose" in error["details"]
