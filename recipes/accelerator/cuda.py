"""CUDA's libraries, as their Python wheels bring them."""

from recipes.base.environment import RECIPE as ENVIRONMENT
from xpubuild.authoring import Facts, Recipe, ScriptCheck

RECIPE = Recipe(
    component="cuda",
    title="CUDA libraries",
    facts=Facts(
        summary="cuBLAS, cuFFT, cuRAND, cuSOLVER, cuSPARSE and the run time of CUDA 12.4; no compiler",
        homepage="https://docs.nvidia.com/cuda/",
        known_issues=("The image holds no nvcc: kernels that compile at run time for CUDA cannot be built in it.",),
    ),
    needs=(ENVIRONMENT,),
    claims=("nvidia-*-cu12",),
    environment=(
        # The quick start names no device: where NVIDIA's run time is the engine's default, these give all of them,
        # with the libraries for computing and nvidia-smi.
        ("NVIDIA_DRIVER_CAPABILITIES", "compute,utility"),
        ("NVIDIA_VISIBLE_DEVICES", "all"),
    ),
    checks=(
        ScriptCheck(name="cuda-libraries", source="checks/libraries.py"),
        ScriptCheck(name="cuda-device", source="checks/cuda_device.py", needs=frozenset({"device"})),
    ),
)
