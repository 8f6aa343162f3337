"""PyTorch with its vision and audio libraries and Triton."""

from recipes.accelerator.cudnn import RECIPE as CUDNN
from recipes.communication.nccl import RECIPE as NCCL
from recipes.framework.toolchain import RECIPE as TOOLCHAIN
from xpubuild.authoring import Facts, ImportCheck, Limits, Recipe, ScriptCheck

HEAVY = Limits(seconds=300, memory=6 << 30, shm=1 << 30)

RECIPE = Recipe(
    component="torch",
    title="PyTorch",
    facts=Facts(
        summary="PyTorch with torchvision, torchaudio and Triton",
        homepage="https://pytorch.org",
        known_issues=("torch.load of untrusted files is unsafe even with weights_only=True (CVE-2025-32434).",),
    ),
    needs=(CUDNN, NCCL, TOOLCHAIN),
    distributions=("torch", "torchvision", "torchaudio", "triton"),
    # Triton and torch.utils.cpp_extension import it and declare nothing.
    requires=("setuptools",),
    checks=(
        ImportCheck(name="torch-import", module="torch", distribution="torch", limits=HEAVY),
        ImportCheck(name="torchvision-import", module="torchvision", distribution="torchvision", limits=HEAVY),
        ImportCheck(name="torchaudio-import", module="torchaudio", distribution="torchaudio", limits=HEAVY),
        ImportCheck(name="triton-import", module="triton", distribution="triton", limits=HEAVY),
        ScriptCheck(name="torch-trains", source="checks/torch_trains.py", limits=HEAVY),
        ScriptCheck(name="torch-compiles", source="checks/torch_compiles.py", limits=HEAVY),
        ScriptCheck(name="torch-device", source="checks/torch_device.py", limits=HEAVY, needs=frozenset({"device"})),
    ),
)
