"""How a container starts: a banner for people, then the command itself in the place of process 1."""

from recipes.base.environment import RECIPE as ENVIRONMENT
from xpubuild.authoring import Facts, File, Need, Recipe, ScriptCheck, SignalCheck

# As release notes tell people to start it: the host's network and IPC, every right.
QUICK_START: frozenset[Need] = frozenset({"host"})

RECIPE = Recipe(
    component="entrypoint",
    title="Entrypoint",
    facts=Facts(summary="a banner on terminals, then the command, which gets the signals and gives the exit code"),
    needs=(ENVIRONMENT,),
    files=(File(source="entrypoint.sh", target="/opt/xpu/bin/xpu-entrypoint", mode=0o755),),
    entrypoint=("/opt/xpu/bin/xpu-entrypoint",),
    checks=(
        ScriptCheck(
            name="entrypoint-runs-a-command",
            source="checks/command.sh",
            interpreter=("sh",),
            needs=QUICK_START,
            entrypoint=True,
        ),
        SignalCheck(
            name="entrypoint-passes-exit-code",
            command=("sh", "-c", "exit 7"),
            exit_code=7,
            needs=QUICK_START,
        ),
        SignalCheck(
            name="entrypoint-passes-sigterm",
            command=("sh", "-c", "trap 'echo got TERM; exit 9' TERM; echo ready; while :; do sleep 0.1; done"),
            signal="SIGTERM",
            exit_code=9,
            needs=QUICK_START,
        ),
        ScriptCheck(name="entrypoint-banner", source="checks/banner.py"),
    ),
)
