"""The bridge of an engine takes a network that the machine does not use yet."""

from __future__ import annotations

from ipaddress import IPv4Interface, IPv4Network

import pytest

from xpubuild.adapters.bridge import _free_network
from xpubuild.errors import MachineError

OFFERED = (IPv4Interface("10.213.1.1/24"), IPv4Interface("10.213.2.1/24"))


@pytest.mark.parametrize(
    ("routes", "taken"),
    [((), 0), (("10.213.1.0/24",), 1), (("10.213.1.128/25", "192.0.2.0/24"), 1), (("10.214.0.0/16",), 0)],
)
def test_the_first_network_without_a_route_is_taken(routes: tuple[str, ...], taken: int) -> None:
    assert _free_network(iter(OFFERED), tuple(IPv4Network(route) for route in routes)) == OFFERED[taken]


def test_a_machine_that_uses_all_of_them_is_told_so() -> None:
    with pytest.raises(MachineError, match="routes to every network"):
        _free_network(iter(OFFERED), (IPv4Network("10.0.0.0/8"),))
