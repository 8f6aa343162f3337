"""The same inputs give the same digest, on any engine, in any directory, at any time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT, xpubuild
from xpubuild import wiring

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tiny import Tiny
    from xpubuild.ports.engine import Engine

pytestmark = pytest.mark.engine


def digest_of(checkout: Path, *words: str, umask: str = "022", **environment: str) -> str:
    command = [
        "sh",
        "-c",
        f'umask {umask}; exec "$@"',
        "sh",
        sys.executable,
        "-m",
        "xpubuild",
        "build",
        *words,
        "--json",
    ]
    done = subprocess.run(
        command,
        cwd=checkout,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XPUBUILD_CHECKOUT": str(checkout)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    built: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return str(built["digest"])


def test_two_builds_without_cache_give_one_digest(tiny: Tiny, tmp_path: Path) -> None:
    elsewhere = tmp_path / "another" / "place"
    shutil.copytree(tiny.folder, elsewhere)
    site = {"XPUBUILD_CONFIG": str(tiny.folder / "site.toml")}
    first = digest_of(tiny.folder, "1.0", "--no-test", "--no-cache", **site)
    second = digest_of(
        elsewhere, "1.0", "--no-test", "--no-cache", umask="077", PYTHONHASHSEED="7", TZ="Asia/Shanghai", **site
    )
    assert first == second


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("normalise.py", "    if os.lstat(path).st_mtime > epoch:"),
        ("make_root.py", "    normalise(OUT)"),
    ],
)
def test_without_a_normalisation_two_builds_differ(tiny: Tiny, script: str, line: str) -> None:
    path = tiny.folder / "buildkit/stages" / script
    text = path.read_text()
    assert line in text
    path.write_text(text.replace(line, "    if False:" if line.endswith(":") else "    pass"))
    site = {"XPUBUILD_CONFIG": str(tiny.folder / "site.toml")}
    digests = {digest_of(tiny.folder, "1.0", "--no-test", "--no-cache", **site) for _ in range(2)}
    assert len(digests) == 2


def test_what_an_engine_built_before_is_no_part_of_a_digest(tiny: Tiny) -> None:
    """BuildKit takes trees that differ in nothing but times for the same."""
    site = {"XPUBUILD_CONFIG": str(tiny.folder / "site.toml")}
    path = tiny.folder / "buildkit/stages/make_root.py"
    text = path.read_text()
    path.write_text(text.replace("    normalise(OUT)", "    pass"))
    other = digest_of(tiny.folder, "1.0", "--no-test", **site)
    path.write_text(text)
    after = digest_of(tiny.folder, "1.0", "--no-test", **site)
    cold = digest_of(tiny.folder, "1.0", "--no-test", "--no-cache", **site)
    assert after == cold
    assert after != other


@pytest.fixture
def second_state(engine: Engine) -> Iterator[Path]:
    """A state directory with an engine of its own whose data root is empty; programs and fetched .debs are shared."""
    assert engine
    with tempfile.TemporaryDirectory(prefix="xpu", dir="/tmp", ignore_cleanup_errors=True) as folder:
        state = Path(folder)
        for name in ("programs", "downloads"):
            (state / name).symlink_to(wiring.state_directory() / name)
        environment = {"XPUBUILD_STATE": str(state), "XPUBUILD_REGISTRY_PORTS": "0,0"}
        done = xpubuild("engine", "up", **environment)
        assert done.returncode == 0, done.stderr
        yield state
        stopped = xpubuild("engine", "down", **environment)
        assert stopped.returncode == 0, stopped.stderr


def test_the_debug_image_has_one_digest_on_two_engines(second_state: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(".venv", ".git", ".*_cache", "__pycache__"))
    here = digest_of(ROOT, "25.03", "--only", "debug", "--no-test")
    there = digest_of(
        clone, "25.03", "--only", "debug", "--no-test", umask="077", PYTHONHASHSEED="11",
        XPUBUILD_STATE=str(second_state), XPUBUILD_REGISTRY_PORTS="0,0",
    )  # fmt: skip
    assert here == there
