"""cuDNN, apart from CUDA: it moves on its own, and the two make layers of even size."""

from recipes.accelerator.cuda import RECIPE as CUDA
from xpubuild.authoring import Facts, Recipe, ScriptCheck

RECIPE = Recipe(
    component="cudnn",
    title="cuDNN",
    facts=Facts(summary="NVIDIA's library of deep learning primitives", homepage="https://docs.nvidia.com/cudnn/"),
    needs=(CUDA,),
    distributions=("nvidia-cudnn-cu12",),
    checks=(
        ScriptCheck(name="cudnn-version", source="checks/cudnn.py"),
        ScriptCheck(name="cudnn-device", source="checks/cudnn_device.py", needs=frozenset({"device"})),
    ),
)
