"""The private engine and the embedded registries: started once, found, recovered after a crash, stopped without a trace."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT, xpubuild
from tests.images import base_image
from xpubuild import wiring
from xpubuild.adapters.engine import HostEngines
from xpubuild.adapters.leftovers import mounts_below
from xpubuild.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tiny import Tiny
    from xpubuild.ports.engine import Engine

pytestmark = pytest.mark.engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A state directory of the test's own, with engines on it."""

    state: Path
    engines: HostEngines

    @property
    def environment(self) -> dict[str, str]:
        return {"XPUBUILD_STATE": str(self.state), "XPUBUILD_REGISTRY_PORTS": "0,0"}

    def pid(self) -> int:
        return int(json.loads((self.state / "engine/daemons/dockerd.json").read_text())["pid"])

    def processes(self) -> list[str]:
        """The command lines of all processes of an engine in this state directory."""
        found = (_words(entry) for entry in Path("/proc").iterdir() if entry.name.isdigit())
        return [line for line in found if f"{self.state}/engine/" in line and "dial-stdio" not in line]

    def docker(self, *words: str) -> str:
        engine = _found(self.engines)
        done = subprocess.run(
            [engine.docker, "--host", engine.host, *words],
            env=os.environ | {"DOCKER_CONFIG": str(engine.docker_configuration)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()


def _words(process: Path) -> str:
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _found(engines: HostEngines) -> Engine:
    engine = engines.find()
    assert engine is not None
    return engine


def engines_on(state: Path, *, configuration: Path = ROOT / "buildkit", docker_host: str | None = None) -> HostEngines:
    return HostEngines(state, configuration, ports=(0, 0), docker_host=docker_host)


@pytest.fixture
def own(engine: Engine) -> Iterator[Own]:
    """Nothing runs yet; the programs are those of the shared engine."""
    assert engine
    with tempfile.TemporaryDirectory(prefix="xpu", dir="/tmp") as folder:
        state = Path(folder)
        (state / "programs").symlink_to(wiring.state_directory() / "programs")
        made = Own(state=state, engines=engines_on(state))
        yield made
        made.engines.down()
        assert made.processes() == []
        assert mounts_below(state) == ()


def test_up_again_changes_nothing(own: Own) -> None:
    first = own.engines.up()
    pid = own.pid()
    again = own.engines.up()
    assert (again.engine, again.running_registries) == (first.engine, first.running_registries)
    assert own.pid() == pid
    assert {registry.target for registry in first.running_registries} == {"public", "vpc:local"}


def test_several_ups_at_once_start_one_engine(own: Own) -> None:
    command = [sys.executable, "-m", "xpubuild", "engine", "up"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | own.environment
    running = [subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) for _ in range(4)]
    outputs = {process.communicate(timeout=120)[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0, 0]
    assert len(outputs) == 1
    assert len([line for line in own.processes() if "dockerd --config-file" in line]) == 1


def test_the_registries_answer_and_let_images_be_deleted(own: Own) -> None:
    address = own.engines.up().running_registries[0].address
    with urllib.request.urlopen(f"http://{address}/v2/") as answer:
        assert answer.status == 200
    image = "sha256:" + "0" * 64
    request = urllib.request.Request(f"http://{address}/v2/x/manifests/{image}", method="DELETE")
    with pytest.raises(urllib.error.HTTPError) as told:
        urllib.request.urlopen(request)  # noqa: S310 - a registry of ours
    told.value.close()
    assert told.value.code == 404  # 405 where deletion is off


def test_a_killed_engine_is_recovered_with_its_containers_gone(own: Own, tmp_path: Path) -> None:
    own.engines.up()
    image = base_image(_found(own.engines), tmp_path)
    server = ("--publish", "127.0.0.1:0:80", image, "python3", "-m", "http.server", "80")
    own.docker("run", "--detach", "--name", "web", "--init", *server)
    container = own.docker("inspect", "--format", "{{.State.Pid}}", "web")
    os.kill(own.pid(), signal.SIGKILL)
    own.engines.up()
    assert _words(Path(f"/proc/{container}")) == ""  # one that init has not yet waited for has no words
    assert [line for line in own.processes() if "containerd-shim" in line] == []
    assert own.docker("ps", "--quiet") == ""
    own.docker("start", "web")
    address = own.docker("port", "web", "80")
    assert _serves(address)


def _serves(address: str) -> bool:
    """Whether a server comes up, asked for a while: it starts in its own time."""
    ask = ["curl", "--silent", "--retry", "20", "--retry-all-errors", "--retry-delay", "1", f"http://{address}/"]
    return subprocess.run(ask, capture_output=True, check=False).returncode == 0


def test_down_after_a_kill_ends_containers_mounts_and_bridge(own: Own, tmp_path: Path) -> None:
    before = set(Path("/sys/class/net").iterdir())
    own.engines.up()
    image = base_image(_found(own.engines), tmp_path)
    own.docker("run", "--detach", "--pid", "host", image, "sh", "-c", "setsid sleep 9731 & exec sleep 9732")
    os.kill(own.pid(), signal.SIGKILL)
    own.engines.down()
    assert own.processes() == []
    assert mounts_below(own.state) == ()
    assert set(Path("/sys/class/net").iterdir()) == before
    everything = [_words(entry) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    assert [line for line in everything if line.startswith(("sleep 9731", "sleep 9732"))] == []


def test_an_engine_whose_record_was_lost_is_replaced(own: Own) -> None:
    own.engines.up()
    lost = own.pid()
    (own.state / "engine/daemons/dockerd.json").unlink()
    own.engines.up()
    assert own.pid() != lost
    assert len([line for line in own.processes() if "dockerd --config-file" in line]) == 1


def test_down_stops_what_up_started_and_the_shared_engine_runs_on(own: Own, engine: Engine) -> None:
    own.engines.up()
    assert own.engines.down() == ("dockerd", "registry-public", "registry-vpc-local")
    assert own.engines.down() == ()
    assert own.engines.status().engine is None
    assert wiring.engines().find() == engine


def test_the_registries_run_beside_an_engine_of_others(own: Own) -> None:
    served = own.engines.serve_registries()
    assert [registry.target for registry in served] == ["public", "vpc:local"]
    assert own.engines.status().engine is None


def test_a_port_that_another_program_has_is_named(own: Own) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = xpubuild("engine", "up", **own.environment | {"XPUBUILD_REGISTRY_PORTS": f"{port},0"})
    assert done.returncode == 5
    assert f"another program listens on 127.0.0.1:{port}" in done.stderr


def test_an_engine_of_others_is_used_for_what_it_can_do(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    own.engines.up()
    host = _found(own.engines).host
    monkeypatch.setenv("PATH", "/nonexistent")
    used = _found(engines_on(own.state, docker_host=host))
    assert (used.private, used.host, used.builder) == (False, host, None)
    assert used.data_root == str(own.state / "engine/data")


def test_a_build_on_an_engine_of_others_pushes_to_the_embedded_registry(own: Own, tiny: Tiny) -> None:
    own.engines.up()
    host = _found(own.engines).host
    with tempfile.TemporaryDirectory(prefix="xpu", dir="/tmp") as folder:
        for name in ("programs", "bases", "downloads"):
            (Path(folder) / name).symlink_to(wiring.state_directory() / name)
        elsewhere = {"XPUBUILD_STATE": folder, "XPUBUILD_REGISTRY_PORTS": "0,0", "DOCKER_HOST": host}
        done = xpubuild("build", "1.0", "--no-test", "--json", **tiny.environment | elsewhere)
        stopped = xpubuild("engine", "down", **elsewhere)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["digest"].startswith("sha256:")
    assert stopped.stdout == "stopped: registry-public, registry-vpc-local\n"


def test_an_engine_without_containerds_store_is_refused(own: Own, tmp_path: Path, engine: Engine) -> None:
    folder = tmp_path / "old"
    shutil.copytree(ROOT / "buildkit", folder)
    settings = json.loads((folder / "daemon.json").read_text())
    settings["features"]["containerd-snapshotter"] = False
    (folder / "daemon.json").write_text(json.dumps(settings))
    old = engines_on(own.state, configuration=folder)
    old.up()
    host = _found(old).host
    with pytest.raises(MachineError) as told:
        engines_on(own.state, docker_host=host).find()
    assert told.value.where == host
    assert "without containerd's store" in told.value.brief
    assert engine.host != host


def test_a_named_engine_that_does_not_answer_is_refused(own: Own) -> None:
    with pytest.raises(MachineError, match="the engine does not answer"):
        engines_on(own.state, docker_host=f"unix://{own.state}/nothing.sock").find()


def test_an_unknown_builder_is_refused_by_its_name(engine: Engine) -> None:
    assert engine
    done = xpubuild("build", "25.03", "--builder", "no-such-builder")
    assert done.returncode == 5
    assert "no-such-builder" in done.stderr


def test_a_state_directory_too_deep_for_sockets_is_refused_before_anything_is_fetched(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 120)
    with pytest.raises(MachineError, match=r"bytes too long for sockets"):
        engines_on(deep).up()
    assert not deep.exists()


def test_status_names_versions_addresses_and_disk(engine: Engine) -> None:
    assert engine
    done = xpubuild("engine", "status", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 0
    assert {name for name, _ in told["engine"]["versions"]} >= {"dockerd", "docker", "docker-buildx", "runc"}
    assert [registry["target"] for registry in told["registries"]] == ["public", "vpc:local"]
    assert told["used_bytes"] > 0
    assert told["free_bytes"] > 0


def test_status_of_an_engine_that_does_not_run_says_how_to_start_it(own: Own) -> None:
    done = xpubuild("engine", "status", **own.environment)
    assert done.returncode == 5
    assert "not running; start it with `xpubuild engine up`" in done.stdout
