"""What every image has beside its base: the tools that people expect in a shell of a training job."""

from xpubuild.authoring import CommandCheck, Facts, Recipe, ScriptCheck

RECIPE = Recipe(
    component="system",
    title="Debian 12 with tools",
    facts=Facts(
        summary="Debian 12 (bookworm), its Python 3.11, and tools for shells, networks and processes",
        homepage="https://www.debian.org/releases/bookworm/",
    ),
    system=(
        "curl",
        "git",
        "iproute2",
        "less",
        "libnuma1",
        "numactl",
        "openssh-client",
        "pdsh",
        "procps",
        "python3-venv",
        "vim-tiny",
    ),
    checks=(
        CommandCheck(name="system-python", command=("/usr/bin/python3", "--version"), expects=r"^Python 3\.11\."),
        CommandCheck(name="system-numactl", command=("numactl", "--show"), expects=r"(?m)^policy: "),
        ScriptCheck(name="system-packages", source="checks/packages.sh", interpreter=("sh",)),
    ),
)
