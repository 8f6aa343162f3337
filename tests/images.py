"""Small images for tests of containers, made of a release's base on the real engine."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from xpubuild import wiring
from xpubuild.workflows.build import base_contexts

if TYPE_CHECKING:
    from pathlib import Path

    from xpubuild.ports.engine import Engine


def base_image(engine: Engine, folder: Path, *, tag: str = "1", more: str = "") -> str:
    """An image with Python: the base of a release as it is, and `more` lines of a Dockerfile."""
    world = wiring.building(lambda _: None)
    base = wiring.checkout().lock("25.03", "cuda").base
    context = base_contexts(world, {"base": base})["base"]
    (folder / "Dockerfile").write_text(f"FROM base\n{more}\n")
    command = [engine.docker, "--host", engine.host, "buildx", "build", "--quiet", "--provenance=false", "--load"]
    environment = os.environ | {"DOCKER_CONFIG": engine.docker_configuration or ""}
    name = f"xpubuild-tests/base:{tag}"
    subprocess.run(
        [*command, "--build-context", f"base={context}", "--tag", name, str(folder)],
        check=True, env=environment, capture_output=True,
    )  # fmt: skip
    return name
