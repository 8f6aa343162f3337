"""What would a build do on the engine that it would use? Nothing is started to find out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xpubuild.plan import NOTHING, Plan, plan_for
from xpubuild.workflows.build import image_name
from xpubuild.workflows.preparing import Choice, prepare

if TYPE_CHECKING:
    from xpubuild.ports.builder import Builder
    from xpubuild.ports.checkout import Checkout
    from xpubuild.ports.engine import Engines
    from xpubuild.ports.records import Records


def planned(  # noqa: PLR0917 - five ports
    checkout: Checkout,
    engines: Engines,
    builder_port: Builder,
    records: Records,
    choice: Choice,
    *,
    builder: str | None = None,
) -> Plan:
    """The plan of an image; without a running engine, one for an empty engine."""
    prepared = prepare(checkout, choice)
    engine = engines.find(builder=builder)
    if engine is None:
        return plan_for(prepared.nodes, NOTHING)
    known = records.known(engine=builder_port.identity(engine), image=image_name(prepared))
    return plan_for(prepared.nodes, known)
