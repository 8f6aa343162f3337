"""Megatron-Core."""

from recipes.framework.torch import HEAVY
from recipes.framework.torch import RECIPE as TORCH
from xpubuild.authoring import Facts, ImportCheck, Recipe, ScriptCheck

RECIPE = Recipe(
    component="megatron-core",
    title="Megatron-Core",
    facts=Facts(summary="parallel transformers", homepage="https://docs.nvidia.com/megatron-core/"),
    needs=(TORCH,),
    distributions=("megatron-core",),
    # It declares no dependency, calls np.product, which NumPy 2 removed, and imports packaging.
    requires=("numpy<2", "packaging"),
    checks=(
        ImportCheck(name="megatron-core-import", module="megatron.core", distribution="megatron-core", limits=HEAVY),
        ScriptCheck(name="megatron-core-checkpoint", source="checks/dist_checkpointing.py", limits=HEAVY),
    ),
)
