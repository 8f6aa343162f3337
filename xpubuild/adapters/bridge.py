"""The network bridge of a private engine, made beforehand: dockerd then publishes ports without any firewall rule."""

from __future__ import annotations

import hashlib
import ipaddress
from pathlib import Path
from typing import TYPE_CHECKING

from xpubuild.adapters.process import require_command, run_command
from xpubuild.errors import MachineError
from xpubuild.model.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from xpubuild.adapters.programs import Programs

_DEVICES = Path("/sys/class/net")
_CANDIDATES = 64


class Bridge:
    """The bridge of one state directory; name and address follow from its path, so that two engines do not meet."""

    def __init__(self, state: Path) -> None:
        self._seed = hashlib.sha256(str(state).encode()).digest()

    @property
    def name(self) -> str:
        """The device's name, 11 characters."""
        return f"xpu{self._seed.hex()[:8]}"

    def make(self, programs: Programs) -> str:
        """Make the bridge, or complete the one that is there; its name.

        Raises:
            MachineError: the name is taken, or every address that would do is.
        """
        if not (_DEVICES / self.name).exists():
            self._ip(programs, "link", "add", self.name, "type", "bridge")
        elif not (_DEVICES / self.name / "bridge").exists():
            raise MachineError(f"another device has the name {self.name}, which the engine's bridge would have")
        address = _free_network(self._networks(), _routes(except_for=self.name))
        self._ip(programs, "address", "flush", "dev", self.name)
        self._ip(programs, "address", "add", str(address), "dev", self.name)
        self._ip(programs, "link", "set", self.name, "up")
        return self.name

    def remove(self, programs: Programs) -> None:
        """Remove the bridge, if it is there."""
        if (_DEVICES / self.name / "bridge").exists():
            environment = _environment(programs)
            run_command(Command(argv=("ip", "link", "delete", self.name), environment=environment, seconds=30))

    def _networks(self) -> Iterator[ipaddress.IPv4Interface]:
        """Addresses that would do, in an order that is this engine's own."""
        for step in range(_CANDIDATES):
            yield ipaddress.IPv4Interface(f"10.{213 + self._seed[0] % 20}.{(self._seed[1] + step) % 256}.1/24")

    @staticmethod
    def _ip(programs: Programs, *words: str) -> None:
        require_command(Command(argv=("ip", *words), environment=_environment(programs), seconds=30))


def _environment(programs: Programs) -> tuple[tuple[str, str], ...]:
    return (("PATH", programs.path), ("LD_LIBRARY_PATH", programs.libraries))


def _free_network(
    networks: Iterator[ipaddress.IPv4Interface], routes: tuple[ipaddress.IPv4Network, ...]
) -> ipaddress.IPv4Interface:
    for network in networks:
        if not any(network.network.overlaps(route) for route in routes):
            return network
    raise MachineError(
        "this machine has routes to every network that the engine's bridge could have",
        hint="see `ip route`; another state directory has another network: XPUBUILD_STATE",
    )


def _routes(*, except_for: str) -> tuple[ipaddress.IPv4Network, ...]:
    """The networks that this machine reaches through other devices, the default route left out (proc(5), net/route)."""
    rows = (line.split() for line in Path("/proc/net/route").read_text(encoding="ascii").splitlines()[1:])
    return tuple(
        ipaddress.IPv4Network((_host_order(row[1]), str(ipaddress.IPv4Address(_host_order(row[7])))), strict=False)
        for row in rows
        if row[0] != except_for and int(row[7], 16)
    )


def _host_order(word: str) -> int:
    """The kernel writes addresses as the machine's own words, here little-endian."""
    return int.from_bytes(bytes.fromhex(word), "little")
