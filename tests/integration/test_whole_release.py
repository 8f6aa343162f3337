"""A whole release, where there is room for it."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.conftest import xpubuild
from xpubuild import wiring

NEEDED = 45_000_000_000


@pytest.mark.engine
@pytest.mark.whole_release
def test_25_03_is_built_and_tested_whole() -> None:
    free = shutil.disk_usage(wiring.state_directory().parent).free
    if free < NEEDED:
        pytest.skip(f"{free / 1e9:.0f} GB are free, {NEEDED / 1e9:.0f} GB are needed for a whole release")
    done = xpubuild("build", "25.03", "--json", seconds=3000)
    assert done.returncode == 0, done.stderr
    built = json.loads(done.stdout.splitlines()[-1])
    assert built["checks"]["failed"] == 0
    assert built["checks"]["passed"] > 30
