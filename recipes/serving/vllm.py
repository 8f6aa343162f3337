"""vLLM."""

from recipes.framework.torch import RECIPE as TORCH
from recipes.framework.transformers import RECIPE as TRANSFORMERS
from recipes.serving.ray import RECIPE as RAY
from xpubuild.authoring import Facts, ImportCheck, Limits, Recipe, ScriptCheck, Winner

SLOW = Limits(seconds=420, memory=8 << 30, shm=1 << 30)

RECIPE = Recipe(
    component="vllm",
    title="vLLM",
    facts=Facts(
        summary="serving of large language models",
        homepage="https://docs.vllm.ai",
        known_issues=(
            "Set --max-num-batched-tokens: the default of 2048 limits the length of prompts.",
            "Keep --max-model-len below 80k for DeepSeek models, or memory may run out.",
        ),
    ),
    needs=(TORCH, TRANSFORMERS, RAY),
    distributions=("vllm",),
    # fastapi-cli brings the same command; pip installs fastapi, which needs it, after it.
    winners=(Winner(target="/opt/xpu/bin/fastapi", distribution="fastapi"),),
    environment=(
        # FlashInfer's sampler would compile its kernels at run time; the image has no nvcc.
        ("VLLM_USE_FLASHINFER_SAMPLER", "0"),
        # A forked worker cannot initialise CUDA again.
        ("VLLM_WORKER_MULTIPROC_METHOD", "spawn"),
    ),
    checks=(
        ImportCheck(name="vllm-import", module="vllm", distribution="vllm", limits=SLOW),
        ImportCheck(name="xformers-import", module="xformers", distribution="xformers", limits=SLOW),
        ScriptCheck(name="vllm-arguments", source="checks/vllm_arguments.py", limits=SLOW),
    ),
)
