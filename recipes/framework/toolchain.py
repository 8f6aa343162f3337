"""The compiler that torch.compile and Triton call when a model runs."""

from recipes.base.system import RECIPE as SYSTEM
from xpubuild.authoring import CommandCheck, Facts, Recipe

RECIPE = Recipe(
    component="toolchain",
    title="Compiler",
    facts=Facts(summary="gcc, g++, the headers of C and of Python, ninja: torch.compile needs them at run time"),
    needs=(SYSTEM,),
    system=("g++", "gcc", "libc6-dev", "ninja-build", "python3-dev"),
    checks=(
        CommandCheck(
            name="toolchain-compiles",
            command=(
                "sh",
                "-c",
                "echo '#include <Python.h>' >/tmp/x.c && gcc -c -I/usr/include/python3.11 -o /tmp/x.o /tmp/x.c && echo ok",
            ),
            expects=r"^ok$",
        ),
    ),
)
