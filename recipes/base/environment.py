"""The Python environment in /opt/xpu that the stack lies in, with pip told to leave the stack alone."""

from recipes.base.system import RECIPE as SYSTEM
from xpubuild.authoring import CommandCheck, Facts, File, Generated, Limits, Recipe, ScriptCheck

RECIPE = Recipe(
    component="environment",
    title="Python environment",
    facts=Facts(summary="/opt/xpu, a Python environment whose packages pip keeps at the versions of the release"),
    needs=(SYSTEM,),
    distributions=("pip",),
    # Constraints also reach the environments that pip makes to build a project in (pip < 25.3), where a pinned
    # setuptools or numpy breaks projects that ask for another. There, only what recipes name is held: who compiles
    # against torch compiles against the one of the image.
    files=(File(source="pip_isolation.pth", target="/opt/xpu/lib/python3.11/site-packages/xpu_pip_isolation.pth"),),
    generated=(
        Generated(kind="pip-constraints", target="/etc/pip/constraint.txt"),
        Generated(kind="pip-build-constraints", target="/etc/pip/build-constraint.txt"),
        # The file that every pip reads, also that of an environment made by `python3 -m venv`.
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
        # It reads all that is installed: 10 GB from a cold disk.
        ScriptCheck(name="environment-records", source="checks/records.py", limits=Limits(seconds=900)),
        ScriptCheck(name="environment-pip-check", source="checks/pip_check.py"),
        ScriptCheck(name="environment-pip-install", source="checks/pip_install.py", limits=Limits(seconds=300)),
    ),
)
