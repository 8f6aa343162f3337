"""NCCL, the open counterpart of ACCL-N."""

from recipes.accelerator.cuda import RECIPE as CUDA
from xpubuild.authoring import Facts, Recipe, ScriptCheck

RECIPE = Recipe(
    component="nccl",
    title="NCCL",
    facts=Facts(
        summary="NVIDIA's collective communication library, the open counterpart of ACCL-N",
        homepage="https://docs.nvidia.com/deeplearning/nccl/",
    ),
    needs=(CUDA,),
    distributions=("nvidia-nccl-cu12",),
    checks=(
        ScriptCheck(name="nccl-version", source="checks/nccl.py"),
        ScriptCheck(name="nccl-device", source="checks/nccl_device.py", needs=frozenset({"device"})),
    ),
)
