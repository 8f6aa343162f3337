"""Hugging Face Accelerate."""

from recipes.framework.torch import HEAVY
from recipes.framework.torch import RECIPE as TORCH
from xpubuild.authoring import Facts, ImportCheck, Recipe, ScriptCheck

RECIPE = Recipe(
    component="accelerate",
    title="Accelerate",
    facts=Facts(summary="launches training on many processes", homepage="https://huggingface.co/docs/accelerate"),
    needs=(TORCH,),
    distributions=("accelerate",),
    checks=(
        ImportCheck(name="accelerate-import", module="accelerate", distribution="accelerate", limits=HEAVY),
        ScriptCheck(name="accelerate-launch", source="checks/launch.py", limits=HEAVY),
    ),
)
