"""DeepSpeed, built from its sdist without compiled operators: there is no nvcc among public packages."""

from recipes.communication.fabric import RECIPE as FABRIC
from recipes.framework.torch import HEAVY
from recipes.framework.torch import RECIPE as TORCH
from xpubuild.authoring import Facts, ImportCheck, Limits, Recipe, ScriptCheck

# Its first step compiles the operator for shared memory.
COMPILES = Limits(seconds=600, memory=6 << 30, shm=1 << 30)

RECIPE = Recipe(
    component="deepspeed",
    title="DeepSpeed",
    facts=Facts(
        summary="ZeRO and pipelines for training large models",
        homepage="https://www.deepspeed.ai",
        known_issues=(
            "Operators that need nvcc are not compiled: set torch_adam to true in the optimizer's parameters.",
            "Leave zero_optimization.stage3_prefetch_bucket_size empty or set it to auto.",
        ),
    ),
    needs=(TORCH, FABRIC),
    distributions=("deepspeed",),
    # async_io's builder imports distutils, which setuptools brings.
    requires=("setuptools",),
    checks=(
        ImportCheck(name="deepspeed-import", module="deepspeed", distribution="deepspeed", limits=HEAVY),
        ScriptCheck(name="deepspeed-step", source="checks/deepspeed_step.py", limits=COMPILES),
    ),
)
