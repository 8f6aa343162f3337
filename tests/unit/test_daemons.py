"""Daemons outlive their caller, and only what was started is stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from xpubuild.adapters.daemons import Daemons
from xpubuild.errors import MachineError

SLEEP = ("sleep", "600")


def test_a_daemon_runs_until_it_is_stopped(tmp_path: Path) -> None:
    daemons = Daemons(tmp_path)
    started = daemons.start("x", SLEEP, environment=os.environ)
    assert daemons.running("x") == started
    assert daemons.stop("x") is True
    assert daemons.running("x") is None
    assert daemons.stop("x") is False


def test_a_daemon_owes_nothing_to_its_caller(tmp_path: Path) -> None:
    daemons = Daemons(tmp_path)
    told = tmp_path / "told"
    script = f"umask > {told}; pwd >> {told}; ps -o sid= -p $$ >> {told}; exec sleep 600"
    before = os.umask(0o077)
    try:
        started = daemons.start("x", ("sh", "-c", script), environment=os.environ)
    finally:
        os.umask(before)
    daemons.wait_until("x", lambda: told.exists() and told.read_text().count("\n") == 3, seconds=20)
    daemons.stop("x")
    umask, folder, session = told.read_text().split()
    assert (umask, folder, int(session)) == ("0022", "/", started.pid)


@pytest.mark.parametrize("changed", [{"started": 1}, {"boot": "another start of the machine"}])
def test_a_process_that_got_the_same_id_later_is_left_alone(tmp_path: Path, changed: dict[str, object]) -> None:
    daemons = Daemons(tmp_path)
    daemons.start("x", SLEEP, environment=os.environ)
    record = tmp_path / "x.json"
    truth = record.read_text()
    record.write_text(json.dumps(json.loads(truth) | changed))
    assert daemons.running("x") is None
    assert daemons.stop("x") is False
    record.write_text(truth)
    assert daemons.running("x") is not None
    daemons.stop("x")


def test_one_that_hears_no_signal_is_ended_by_force(tmp_path: Path) -> None:
    daemons = Daemons(tmp_path)
    ready = tmp_path / "ready"
    deaf = f"trap '' TERM; touch {ready}; while true; do sleep 600; done"
    daemons.start("x", ("sh", "-c", deaf), environment=os.environ)
    daemons.wait_until("x", ready.exists, seconds=20)
    assert daemons.stop("x", seconds=0.2) is True
    assert daemons.running("x") is None


def test_one_that_ends_at_once_is_told_with_its_last_words(tmp_path: Path) -> None:
    daemons = Daemons(tmp_path)
    daemons.start("x", ("sh", "-c", "echo no such thing >&2; exit 1"), environment=os.environ)
    with pytest.raises(MachineError, match="ended as soon as it was started") as told:
        daemons.wait_until("x", lambda: False, seconds=20)
    assert told.value.details == "no such thing"


def test_a_daemon_outlives_the_process_that_started_it(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, sys; from xpubuild.adapters.daemons import Daemons;"
        "Daemons(pathlib.Path(sys.argv[1])).start('x', ('sleep', '600'), environment=os.environ)"
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, cwd=root)
    daemons = Daemons(tmp_path)
    assert daemons.running("x") is not None
    assert daemons.stop("x") is True
