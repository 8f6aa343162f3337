"""The Python environment in /opt/xpu that the stack lies in, with pip told to leave the stack alone."""

from recipes.base.system import RECIPE as SYSTEM
from xpubuild.authoring import CommandCheck, Facts, Generated, Limits, Recipe, ScriptCheck

RECIPE = Recipe(
    component="environment",
    title="Python environment",
    facts=Facts(summary="/opt/xpu, a Python environment whose packages pip keeps at the versions of the release"),
    needs=(SYSTEM,),
    distributions=("pip",),
    generated=(
        Generated(kind="pip-constraints", target="/etc/pip/constraint.txt"),
        # The file that pip reads in every case; a variable would also reach isolated builds, where a pinned
        # setuptools breaks projects that ask for another.
        Generated(kind="pip-configuration", target="/etc/pip.conf"),
        Generated(kind="release", target="/opt/xpu/share/xpubuild/release.json"),
    ),
    environment=(
        ("LC_ALL", "C.UTF-8"),
        ("PATH", "/opt/xpu/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        # What a program prints before it is killed is there to be read.
        ("PYTHONUNBUFFERED", "1"),
    ),
    checks=(
        CommandCheck(
            name="environment-python", command=("python", "-c", "import sys; print(sys.prefix)"), expects=r"^/opt/xpu$"
        ),
        ScriptCheck(name="environment-versions", source="checks/versions.py"),
        ScriptCheck(name="environment-pip-check", source="checks/pip_check.py"),
        ScriptCheck(name="environment-pip-install", source="checks/pip_install.py", limits=Limits(seconds=240)),
    ),
)
