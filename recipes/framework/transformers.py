"""Hugging Face Transformers."""

from recipes.framework.accelerate import RECIPE as ACCELERATE
from recipes.framework.torch import HEAVY
from recipes.framework.torch import RECIPE as TORCH
from xpubuild.authoring import Facts, ImportCheck, Recipe, ScriptCheck

RECIPE = Recipe(
    component="transformers",
    title="Transformers",
    facts=Facts(summary="models and the Trainer", homepage="https://huggingface.co/docs/transformers"),
    needs=(TORCH, ACCELERATE),
    distributions=("transformers",),
    checks=(
        ImportCheck(name="transformers-import", module="transformers", distribution="transformers", limits=HEAVY),
        ScriptCheck(name="transformers-trainer", source="checks/trainer.py", limits=HEAVY),
    ),
)
