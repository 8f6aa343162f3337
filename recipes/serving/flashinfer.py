"""FlashInfer, built from its sdist; its kernels compile at run time, which needs nvcc."""

from recipes.framework.torch import HEAVY
from recipes.framework.torch import RECIPE as TORCH
from xpubuild.authoring import Facts, ImportCheck, Recipe

RECIPE = Recipe(
    component="flashinfer",
    title="FlashInfer",
    facts=Facts(
        summary="attention kernels for serving",
        homepage="https://docs.flashinfer.ai",
        known_issues=("Its kernels cannot be compiled in this edition, which has no nvcc.",),
    ),
    needs=(TORCH,),
    distributions=("flashinfer-python",),
    # Reached through torch.utils.cpp_extension, which declares nothing.
    requires=("setuptools",),
    checks=(
        ImportCheck(name="flashinfer-import", module="flashinfer", distribution="flashinfer-python", limits=HEAVY),
    ),
)
