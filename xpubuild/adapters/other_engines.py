"""Can an engine that others run be used? Probed by what it can do."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from xpubuild.adapters.process import run_command
from xpubuild.adapters.programs import installed_programs, lay_client_configuration
from xpubuild.errors import MachineError
from xpubuild.model.command import Command
from xpubuild.ports.engine import Engine

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.model.command import Completed

OLDEST_BUILDKIT = (0, 23)
_OLDEST_DOCKER = (28, 3)
"""The first Docker with that BuildKit inside."""
_HINT = "update it, or use `xpubuild engine up`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A docker client: its binary, its DOCKER_CONFIG directory (None: the user's own), the host it is told to speak to."""

    program: str
    configuration: str | None = None
    host: str | None = None

    def run(self, *words: str, seconds: float = 60) -> Completed:
        """Run it."""
        options = ("--host", self.host) if self.host else ()
        environment = (("DOCKER_CONFIG", self.configuration),) if self.configuration else ()
        return run_command(Command(argv=(self.program, *options, *words), environment=environment, seconds=seconds))


def client_for(host: str | None, state: Path) -> Client:
    """The machine's docker client, or our own where the machine has none with buildx.

    Raises:
        MachineError: there is no client.
    """
    program, programs = shutil.which("docker"), installed_programs(state)
    if program and (programs is None or _has_buildx(program)):
        return Client(program=program, host=host)
    if programs is None:
        raise MachineError("no docker client is installed", hint="`xpubuild engine up` gives an engine of our own")
    configuration = lay_client_configuration(state, programs)
    return Client(program=programs.program("docker"), configuration=str(configuration), host=host)


def _has_buildx(program: str) -> bool:
    """Whether a client has the plugin; without it, old ones print their usage and call that a success."""
    told = Client(program=program).run("buildx", "version")
    return told.exit_code == 0 and b"buildx" in told.stdout and b"Usage:" not in told.stdout


def usable_engine(client: Client, *, builder: str | None) -> Engine:
    """The engine behind a client, or one of its builders.

    Raises:
        MachineError: it cannot be used, and precisely why.
    """
    where = client.host or "this machine's Docker"
    if builder:
        _refuse_unknown_builder(client, builder)
    facts = _facts(client, where)
    if builder is None:
        _refuse_old_store(facts, where)
    buildkit = _buildkit_version(client, builder, str(facts["ServerVersion"]))
    _refuse_old_buildkit(buildkit, builder or where)
    host = client.host or _host_of_context(client)
    return Engine(
        host=host,
        docker=client.program,
        docker_configuration=client.configuration,
        builder=builder,
        versions=(("buildkit", buildkit), ("dockerd", str(facts["ServerVersion"]))),
        data_root=facts.get("DockerRootDir") if host.startswith("unix:") else None,
        private=False,
    )


def _refuse_unknown_builder(client: Client, builder: str) -> None:
    done = client.run("buildx", "inspect", builder)
    if done.exit_code:
        raise MachineError(
            "buildx has no such builder",
            where=builder,
            details=done.stderr.decode(errors="replace").strip(),
            hint="see `docker buildx ls`",
        )


def _facts(client: Client, where: str) -> dict[str, Any]:
    told = client.run("info", "--format", "{{json .}}", seconds=20)
    try:
        facts = json.loads(told.stdout)
    except ValueError:
        facts = {}
    if told.exit_code or not facts.get("ServerVersion"):
        words = [told.stderr.decode(errors="replace").strip(), *(facts.get("ServerErrors") or ())]
        raise MachineError(
            "the engine does not answer",
            where=where,
            details="\n".join(word for word in words if word),
            hint="see whether it runs and whether you may speak to it, or use `xpubuild engine up`",
        )
    return dict(facts)


def _refuse_old_store(facts: dict[str, Any], where: str) -> None:
    if "io.containerd.snapshotter" not in json.dumps(facts.get("DriverStatus") or []):
        raise MachineError(
            "the engine keeps images without containerd's store, so it cannot keep the layers that are published",
            where=where,
            hint='set {"features": {"containerd-snapshotter": true}} in its daemon.json, or use `xpubuild engine up`',
        )


def _buildkit_version(client: Client, builder: str | None, docker: str) -> str:
    """What buildx tells; a distribution's own build of Docker says no version, then Docker's own one tells it."""
    named = (builder,) if builder else ()
    done = client.run("buildx", "inspect", "--bootstrap", *named, seconds=120)
    if done.exit_code:
        raise MachineError(
            "buildx cannot use this builder" if builder else "the client has no buildx that can use the engine",
            where=builder or "buildx",
            details=done.stderr.decode(errors="replace").strip(),
            hint="see `docker buildx ls`" if builder else "install the buildx plugin, or use `xpubuild engine up`",
        )
    found = re.search(r"(?im)^buildkit(?: version)?:\s*(\S+)", done.stdout.decode(errors="replace"))
    told = found[1] if found else ""
    if "unknown" in told and _numbers(docker) >= _OLDEST_DOCKER:
        return f"that of Docker {docker}"
    return told


def _refuse_old_buildkit(version: str, where: str) -> None:
    if not version.startswith("that of") and _numbers(version) < OLDEST_BUILDKIT:
        oldest = ".".join(str(part) for part in OLDEST_BUILDKIT)
        told = version if version and "unknown" not in version else "of unknown version"
        raise MachineError(f"its BuildKit is {told}; {oldest} or later is needed", where=where, hint=_HINT)


def _host_of_context(client: Client) -> str:
    """Where the client's current context leads (the user's own Docker may lie elsewhere than the system's)."""
    told = client.run("context", "inspect", "--format", "{{.Endpoints.docker.Host}}", seconds=20)
    return told.stdout.decode(errors="replace").strip() or "unix:///var/run/docker.sock"


def _numbers(version: str) -> tuple[int, int]:
    found = re.match(r"v?(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else (0, 0)
