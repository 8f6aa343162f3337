"""cuDNN, apart from CUDA: it moves on its own, and the two make layers of even size."""

from recipes.accelerator.cuda import RECIPE as CUDA
from xpubuild.authoring import CommandCheck, Facts, Recipe

RECIPE = Recipe(
    component="cudnn",
    title="cuDNN",
    facts=Facts(summary="NVIDIA's library of deep learning primitives", homepage="https://docs.nvidia.com/cudnn/"),
    needs=(CUDA,),
    distributions=("nvidia-cudnn-cu12",),
    checks=(
        CommandCheck(
            name="cudnn-library",
            command=("python", "-c", "import nvidia.cudnn, os; print(os.listdir(nvidia.cudnn.__path__[0] + '/lib'))"),
            expects=r"libcudnn\.so\.9",
        ),
    ),
)
