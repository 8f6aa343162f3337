"""Ray."""

from recipes.base.environment import RECIPE as ENVIRONMENT
from xpubuild.authoring import Facts, ImportCheck, Limits, Recipe, ScriptCheck

RECIPE = Recipe(
    component="ray",
    title="Ray",
    facts=Facts(summary="distributed tasks and actors", homepage="https://docs.ray.io"),
    needs=(ENVIRONMENT,),
    distributions=("ray[adag]",),
    checks=(
        ImportCheck(name="ray-import", module="ray", distribution="ray", limits=Limits(seconds=180)),
        ScriptCheck(
            name="ray-task", source="checks/ray_task.py", limits=Limits(seconds=300, memory=6 << 30, shm=2 << 30)
        ),
    ),
)
