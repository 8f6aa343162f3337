"""Debug tools for processes that hang or are slow: py-spy, pystack, gdb, perf."""

from recipes.base.environment import RECIPE as ENVIRONMENT
from xpubuild.authoring import CommandCheck, Facts, Limits, Need, Recipe, ScriptCheck

ATTACH: frozenset[Need] = frozenset({"ptrace"})

RECIPE = Recipe(
    component="debug",
    title="Debug tools",
    facts=Facts(
        summary="py-spy and pystack for Python, gdb, perf",
        known_issues=("perf needs kernel.perf_event_paranoid of at most 1, or CAP_PERFMON.",),
    ),
    needs=(ENVIRONMENT,),
    distributions=("py-spy", "pystack"),
    system=("gdb", "linux-perf"),
    checks=(
        ScriptCheck(name="debug-py-spy", source="checks/attach_py_spy.py", needs=ATTACH, limits=Limits(seconds=90)),
        ScriptCheck(name="debug-pystack", source="checks/attach_pystack.py", needs=ATTACH, limits=Limits(seconds=90)),
        ScriptCheck(name="debug-gdb", source="checks/attach_gdb.py", needs=ATTACH, limits=Limits(seconds=90)),
        CommandCheck(name="debug-perf", command=("perf", "--version"), expects=r"(?m)^perf version \d"),
        ScriptCheck(name="debug-perf-stat", source="checks/perf_stat.py", needs=frozenset({"perf"})),
    ),
)
