"""All that a recipe module may import."""

from xpubuild.model.recipe import (
    Check,
    CommandCheck,
    Facts,
    File,
    Generated,
    ImportCheck,
    Limits,
    Need,
    Recipe,
    ScriptCheck,
    SignalCheck,
    Winner,
)

__all__ = [
    "Check",
    "CommandCheck",
    "Facts",
    "File",
    "Generated",
    "ImportCheck",
    "Limits",
    "Need",
    "Recipe",
    "ScriptCheck",
    "SignalCheck",
    "Winner",
]
