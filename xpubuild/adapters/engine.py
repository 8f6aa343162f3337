"""Find, start and stop BuildKit engines, and the registries that are embedded beside the private one."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import socket
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from xpubuild.adapters.daemons import Daemons
from xpubuild.adapters.process import require_command, run_command
from xpubuild.adapters.programs import Programs, install_programs, installed_programs
from xpubuild.errors import MachineError, XpubuildError
from xpubuild.model.command import Command
from xpubuild.ports.engine import Engine, EngineStatus, LocalRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator

OLDEST_BUILDKIT = (0, 23)
_TARGETS = ("public", "vpc:local")
_LONGEST_SOCKET = 100
_STEP_LOGS = {"BUILDKIT_STEP_LOG_MAX_SIZE": "-1", "BUILDKIT_STEP_LOG_MAX_SPEED": "-1"}


class HostEngines:
    """`ports.engine.Engines` on this machine.

    Args:
        state: the state directory, of which the private engine takes `engine/`, `programs/` and `registries/`.
        configuration: the folder of `daemon.json` and `registry.yml`.
        ports: of the embedded registries on 127.0.0.1, one for each of `public` and `vpc:local`; 0 takes a free one.
        docker_host: what DOCKER_HOST says, if anything.
    """

    def __init__(self, state: Path, configuration: Path, *, ports: tuple[int, int], docker_host: str | None) -> None:
        self._state = state
        self._configuration = configuration
        self._ports = ports
        self._docker_host = docker_host
        self._daemons = Daemons(state / "engine" / "daemons")

    def find(self, *, builder: str | None = None) -> Engine | None:
        """See the port."""
        if builder or self._docker_host:
            return self._named(builder)
        if private := self._private():
            return private
        try:
            return self._docker_of_machine(None, None)
        except MachineError:
            return None

    def up(self) -> EngineStatus:
        """See the port."""
        if self._private() is None or len(self._running_registries()) < len(_TARGETS):
            with self._alone():
                self._start_all()
        return self._status(used=0)

    def down(self) -> tuple[str, ...]:
        """See the port."""
        with self._alone():
            names = [*(f"registry-{target.replace(':', '-')}" for target in _TARGETS), "dockerd"]
            stopped = tuple(name for name in names if self._daemons.stop(name, seconds=60))
            self._remove_bridge()
        return stopped

    def status(self) -> EngineStatus:
        """See the port."""
        return self._status(used=_used(self._state))

    def _status(self, *, used: int) -> EngineStatus:
        place = self._state if self._state.exists() else self._state.parent
        return EngineStatus(
            engine=self._private(),
            registries=self.registries(),
            running_registries=self._running_registries(),
            state_directory=str(self._state),
            used_bytes=used,
            free_bytes=shutil.disk_usage(place if place.exists() else Path("/")).free,
        )

    # --- the private engine

    @property
    def _socket(self) -> Path:
        return self._state / "engine" / "docker.sock"

    @property
    def _bridge(self) -> tuple[str, str]:
        """Name and address of the bridge; they follow from the state directory, so that two engines do not meet."""
        seed = hashlib.sha256(str(self._state).encode()).digest()
        return f"xpu{seed.hex()[:8]}", f"10.{213 + seed[0] % 20}.{seed[1]}.1/24"

    def _private(self) -> Engine | None:
        programs = installed_programs(self._state)
        if programs is None or self._daemons.running("dockerd") is None or not _answers(self._socket):
            return None
        return Engine(
            host=f"unix://{self._socket}",
            docker=programs.program("docker"),
            docker_configuration=str(self._state / "engine" / "docker"),
            builder=None,
            versions=programs.versions,
            data_root=str(self._state / "engine" / "data"),
            private=True,
        )

    def _start_all(self) -> None:
        if os.geteuid() != 0:
            raise MachineError(
                "only root can start an engine", hint="run as root, or name one with --builder or DOCKER_HOST"
            )
        if len(str(self._socket)) > _LONGEST_SOCKET:
            raise MachineError("the path of the state directory is too long for a socket", where=str(self._state))
        programs = install_programs(self._state)
        if self._private() is None:
            self._start_engine(programs)
        for target, port in zip(_TARGETS, self._ports, strict=True):
            self._start_registry(programs, target, port)

    def _start_engine(self, programs: Programs) -> None:
        home = self._state / "engine"
        for stale in (home / "dockerd.pid", self._socket):
            stale.unlink(missing_ok=True)
        shutil.rmtree(home / "run", ignore_errors=True)
        self._lay_docker_configuration(programs)
        name = self._make_bridge(programs)
        argv = (
            programs.program("dockerd"), "--config-file", str(self._configuration / "daemon.json"),
            "--data-root", str(home / "data"), "--exec-root", str(home / "run"), "--pidfile", str(home / "dockerd.pid"),
            "--host", f"unix://{self._socket}", "--bridge", name, "--dns", "127.0.0.1",
            "--init-path", str(programs.folder / "usr/bin/tini-static"),
        )  # fmt: skip
        environment = os.environ | _STEP_LOGS | {"PATH": programs.path}
        self._daemons.start("dockerd", argv, environment=environment)
        self._daemons.wait_until("dockerd", lambda: _answers(self._socket), seconds=90)

    def _lay_docker_configuration(self, programs: Programs) -> None:
        plugins = self._state / "engine" / "docker" / "cli-plugins"
        plugins.mkdir(parents=True, exist_ok=True)
        link = plugins / "docker-buildx"
        link.unlink(missing_ok=True)
        link.symlink_to(programs.program("docker-buildx"))

    def _make_bridge(self, programs: Programs) -> str:
        """Make the bridge beforehand: dockerd then needs no firewall rule to publish ports."""
        name, address = self._bridge
        environment = (("PATH", programs.path), ("LD_LIBRARY_PATH", programs.libraries))
        if not Path(f"/sys/class/net/{name}").exists():
            require_command(Command(argv=("ip", "link", "add", name, "type", "bridge"), environment=environment))
            require_command(Command(argv=("ip", "address", "add", address, "dev", name), environment=environment))
        require_command(Command(argv=("ip", "link", "set", name, "up"), environment=environment))
        return name

    def _remove_bridge(self) -> None:
        name, _ = self._bridge
        programs = installed_programs(self._state)
        if programs and Path(f"/sys/class/net/{name}").exists():
            environment = (("PATH", programs.path), ("LD_LIBRARY_PATH", programs.libraries))
            run_command(Command(argv=("ip", "link", "delete", name), environment=environment))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One of us at a time starts or stops."""
        place = self._state / "engine"
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise MachineError(
                f"the state directory cannot be made: {fault.strerror}", where=str(self._state)
            ) from fault
        with (place / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    # --- the embedded registries

    def registries(self) -> tuple[LocalRegistry, ...]:
        """See the port."""
        return tuple(
            LocalRegistry(target=target, address=f"127.0.0.1:{self._port_of(target, port)}")
            for target, port in zip(_TARGETS, self._ports, strict=True)
        )

    def _running_registries(self) -> tuple[LocalRegistry, ...]:
        return tuple(
            registry
            for registry in self.registries()
            if self._daemons.running(_daemon_name(registry.target)) and _listens(registry.address)
        )

    def _port_of(self, target: str, port: int) -> int:
        """The port that a running registry took, where a free one was asked for."""
        try:
            return port or int(
                (self._state / "registries" / f"{_daemon_name(target)}.port").read_text(encoding="ascii")
            )
        except (OSError, ValueError):
            return 0

    def _start_registry(self, programs: Programs, target: str, port: int) -> None:
        name = _daemon_name(target)
        address = f"127.0.0.1:{self._port_of(target, port)}"
        if self._daemons.running(name) and _listens(address):
            return
        self._daemons.stop(name)
        address = f"127.0.0.1:{port or _free_port()}"
        if _listens(address):
            raise MachineError(
                f"another program listens on {address}, where the registry for {target} would be",
                where="XPUBUILD_REGISTRY_PORTS",
                hint="stop it, or choose two other ports: XPUBUILD_REGISTRY_PORTS=5177,5178",
            )
        storage = self._state / "registries" / name
        storage.mkdir(parents=True, exist_ok=True)
        (self._state / "registries" / f"{name}.port").write_text(address.rsplit(":", 1)[1], encoding="ascii")
        environment = os.environ | {
            "REGISTRY_HTTP_ADDR": address,
            "REGISTRY_STORAGE_FILESYSTEM_ROOTDIRECTORY": str(storage),
            "OTEL_TRACES_EXPORTER": "none",
        }
        argv = (programs.program("docker-registry"), "serve", str(self._configuration / "registry.yml"))
        self._daemons.start(name, argv, environment=environment)
        self._daemons.wait_until(name, lambda: _listens(address), seconds=30)

    # --- other engines

    def _named(self, builder: str | None) -> Engine:
        """The engine that was asked for by name, or why it cannot be used."""
        private = self._private()
        if builder and private and not self._docker_host:
            probe = Command(
                argv=(private.docker, "--host", private.host, "buildx", "inspect", builder),
                environment=(("DOCKER_CONFIG", private.docker_configuration or ""),),
                seconds=60,
            )
            if run_command(probe).exit_code == 0:
                return replace(private, builder=builder)
        return self._docker_of_machine(self._docker_host, builder)

    def _docker_of_machine(self, host: str | None, builder: str | None) -> Engine:
        """A Docker that others run, probed by what it can do.

        Raises:
            MachineError: it cannot be used, and why.
        """
        program = shutil.which("docker")
        if program is None:
            raise MachineError(
                "no docker client is installed", hint="run `xpubuild engine up` for an engine of our own"
            )
        where = host or "the machine's Docker"
        options = ("--host", host) if host else ()
        told = run_command(Command(argv=(program, *options, "info", "--format", "{{json .}}"), seconds=20))
        try:
            facts = json.loads(told.stdout) if told.exit_code == 0 else {}
        except ValueError:
            facts = {}
        if not facts.get("ServerVersion"):
            details = told.stderr.decode(errors="replace").strip()
            raise MachineError(
                "the engine does not answer", where=where, details=details, hint="run `xpubuild engine up`"
            )
        if builder is None:
            _refuse_old_store(facts, where)
        buildkit = _buildkit_version(program, options, builder)
        _refuse_old_buildkit(buildkit, where)
        return Engine(
            host=host or "unix:///var/run/docker.sock",
            docker=program,
            docker_configuration=None,
            builder=builder,
            versions=(("buildkit", buildkit), ("dockerd", str(facts["ServerVersion"]))),
            data_root=None if host and not host.startswith("unix:") else facts.get("DockerRootDir"),
            private=False,
        )


def _refuse_old_store(facts: dict[str, object], where: str) -> None:
    if "io.containerd.snapshotter" not in json.dumps(facts.get("DriverStatus") or []):
        raise MachineError(
            "the engine keeps images without containerd's store, so BuildKit cannot push zstd layers from it",
            where=where,
            hint='set {"features": {"containerd-snapshotter": true}} in its daemon.json, or use `xpubuild engine up`',
        )


def _refuse_old_buildkit(version: str, where: str) -> None:
    try:
        found = tuple(int(part) for part in version.removeprefix("v").split(".")[:2])
    except ValueError:
        found = (0, 0)
    if found < OLDEST_BUILDKIT:
        oldest = ".".join(str(part) for part in OLDEST_BUILDKIT)
        raise MachineError(
            f"its BuildKit is {version or 'of unknown version'}; {oldest} or later is needed",
            where=where,
            hint="update it, or use `xpubuild engine up`",
        )


def _buildkit_version(program: str, options: tuple[str, ...], builder: str | None) -> str:
    named = (builder,) if builder else ()
    done = run_command(Command(argv=(program, *options, "buildx", "inspect", "--bootstrap", *named), seconds=120))
    if done.exit_code:
        details = done.stderr.decode(errors="replace").strip()
        raise MachineError("buildx cannot use this builder", where=builder or "buildx", details=details)
    for line in done.stdout.decode(errors="replace").splitlines():
        if line.lower().startswith("buildkit version:"):
            return line.split(":", 1)[1].strip()
    return ""


def _daemon_name(target: str) -> str:
    return f"registry-{target.replace(':', '-')}"


def _answers(path: Path) -> bool:
    """Whether an engine answers its ping on a unix socket."""
    try:
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(5)
            link.connect(str(path))
            link.sendall(b"GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n")
            return b" 200 " in link.recv(64)
    except OSError:
        return False


def _listens(address: str) -> bool:
    host, port = address.rsplit(":", 1)
    try:
        with socket.create_connection((host, int(port)), timeout=2):
            return True
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as link:
        link.bind(("127.0.0.1", 0))
        port: int = link.getsockname()[1]
        return port


def _used(state: Path) -> int:
    """Bytes that the state directory takes, as du counts them; 0 when it cannot be told."""
    try:
        done = run_command(Command(argv=("du", "--summarize", "--block-size=1", str(state)), seconds=60))
        return int(done.stdout.split()[0]) if done.stdout else 0
    except (XpubuildError, ValueError, IndexError):
        return 0
