"""How does an error look? What is wrong, where, what to do; never a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xpubuild.errors import exit_code_of, leaves_of

if TYPE_CHECKING:
    from typing import Any

    from xpubuild.errors import XpubuildError


def fault_text(fault: XpubuildError) -> str:
    """All faults in one text that ends with a line break."""
    return "\n".join(_one(leaf) for leaf in leaves_of(fault))


def fault_document(fault: XpubuildError) -> dict[str, Any]:
    """The same for machines."""
    errors = [
        {"brief": leaf.brief, "where": leaf.where, "hint": leaf.hint, "details": leaf.details}
        for leaf in leaves_of(fault)
    ]
    return {"event": "failed", "exit-code": exit_code_of(fault), "errors": errors}


def _one(fault: XpubuildError) -> str:
    place = f"{fault.where}: " if fault.where else ""
    lines = [f"error: {place}{fault.brief}"]
    if fault.details:
        lines += [f"  {line}".rstrip() for line in fault.details.splitlines()]
    if fault.hint:
        lines += ["", f"hint: {fault.hint}"]
    return "\n".join(lines) + "\n"
