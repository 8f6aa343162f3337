"""What is rendered for the real releases, reviewed as files: mirrors are examples, bases lie in /bases.

After a change on purpose: `python -m tests.golden.test_render`, and read the difference.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT
from xpubuild.adapters.checkout import DirectoryCheckout
from xpubuild.drawing import dot, mermaid
from xpubuild.model.site import Site
from xpubuild.render import rendered
from xpubuild.workflows.preparing import Choice, Prepared, prepare

if TYPE_CHECKING:
    from xpubuild.render import Rendered

HERE = Path(__file__).parent
RELEASES = ("24.11", "25.03")
SITE = Site(
    mirrors=(
        ("debian", "http://debian.mirror.example/debian"),
        ("debian-security", "http://debian.mirror.example/debian-security"),
        ("pypi", "https://pypi.mirror.example"),
    )
)


def prepared(release: str) -> Prepared:
    return prepare(DirectoryCheckout(ROOT, local=Path("/nonexistent")), Choice(release=release))


def files(release: str) -> Rendered:
    what = prepared(release)
    composition = what.composition
    contexts = {
        "base": f"oci-layout:///bases/base@{composition.lock.base.digest}",
        "builder-base": f"oci-layout:///bases/builder@{composition.builder.base.digest}",
    }
    reference = what.repository_in("registry.example:5000").tagged(what.tag)
    return rendered(what.graph, site=SITE, contexts=contexts, reference=reference)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", ["Dockerfile", "bake.json"])
def test_rendered_files_are_the_reviewed_ones(release: str, name: str) -> None:
    assert dict(files(release).files)[name] == (HERE / f"{release}.{name}").read_text(encoding="utf-8")


@pytest.mark.parametrize("release", RELEASES)
def test_the_drawn_graphs_are_the_reviewed_ones(release: str) -> None:
    graph = prepared(release).graph
    assert dot(graph) == (HERE / f"{release}.dot").read_text(encoding="utf-8")
    assert mermaid(graph) == (HERE / f"{release}.mmd").read_text(encoding="utf-8")


@pytest.mark.parametrize("release", RELEASES)
def test_hadolint_finds_nothing(release: str, tmp_path: Path) -> None:
    path = tmp_path / "Dockerfile"
    path.write_text(dict(files(release).files)["Dockerfile"])
    done = subprocess.run(
        [str(Path(sys.executable).parent / "hadolint"), "--config", str(ROOT / "buildkit/hadolint.yaml"), str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("release", RELEASES)
def test_every_byte_enters_by_a_checksum_and_no_step_has_a_network(release: str) -> None:
    text = dict(files(release).files)["Dockerfile"]
    lines = text.replace("\\\n", "").splitlines()
    added = [line for line in lines if line.startswith("ADD")]
    ran = [line for line in lines if line.startswith("RUN")]
    assert added
    assert all(line.startswith("ADD --link --checksum=sha256:") for line in added)
    assert ran
    assert all(line.startswith("RUN --network=none ") for line in ran)
    assert all("type=cache" not in line for line in ran)
    after_merge = text.split("AS image\n", 1)[1].splitlines()
    assert not [line for line in after_merge if line.startswith("RUN")]


def test_a_bake_file_reads_no_variable() -> None:
    content = json.loads(dict(files("25.03").files)["bake.json"])
    assert content["target"]["image"]["attest"] == ["type=provenance,disabled=true", "type=sbom,disabled=true"]


def test_releases_share_the_roots_whose_files_they_share() -> None:
    keys = [{entry.node.name: entry.key for entry in prepared(release).nodes} for release in RELEASES]
    same = {name for name in ("root-cuda", "root-cudnn", "root-nccl") if keys[0][name] == keys[1][name]}
    assert same == {"root-cuda", "root-cudnn", "root-nccl"}


def test_layers_are_few_and_none_is_too_large() -> None:
    for release in RELEASES:
        graph = prepared(release).graph
        assert len(graph.image.roots) + 1 <= 60
        sizes = [getattr(node, "size", 0) for node in graph.nodes]
        assert max(sizes) < 2_000_000_000


def main() -> None:
    """Write the golden files anew."""
    for release in RELEASES:
        told = dict(files(release).files)
        graph = prepared(release).graph
        texts = {
            "Dockerfile": told["Dockerfile"],
            "bake.json": told["bake.json"],
            "dot": dot(graph),
            "mmd": mermaid(graph),
        }
        for name, text in texts.items():
            (HERE / f"{release}.{name}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
