"""Results are kept by image and suite, whole or not at all, and readable by CI."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from xpubuild.adapters.results import ResultFiles, junit_text
from xpubuild.ports.results import Report, Result

if TYPE_CHECKING:
    from pathlib import Path

DIGEST = f"sha256:{'1' * 64}"
SUITE = f"sha256:{'2' * 64}"
PASSED = Result(
    name="a-runs", component="a", status="passed", reason="", seconds=1.25, exit_code=0, log="/r/a-runs.log"
)
FAILED = replace(
    PASSED, name="b-runs", status="failed", reason="exit code 1\nbell \x07 and \x1b[31mred\ufffe", seconds=2.0
)
SKIPPED = replace(PASSED, name="c-runs", status="skipped", reason="no right", seconds=0.0, exit_code=None, log=None)
REPORT = Report(digest=DIGEST, suite=SUITE, results=(PASSED, FAILED, SKIPPED))


def test_a_report_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    files = ResultFiles(tmp_path)
    assert files.load(digest=DIGEST, suite=SUITE) is None
    files.save(REPORT)
    assert files.load(digest=DIGEST, suite=SUITE) == REPORT


def test_a_report_is_of_one_image_and_one_suite(tmp_path: Path) -> None:
    files = ResultFiles(tmp_path)
    files.save(REPORT)
    other = f"sha256:{'1' * 63}2"
    assert files.load(digest=DIGEST, suite=f"sha256:{'3' * 64}") is None
    assert files.load(digest=other, suite=SUITE) is None, "two digests that begin alike are two images"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"digest": "x"}', '{"results": [{"name": "a"}]}'])
def test_a_file_that_holds_no_report_is_none(tmp_path: Path, text: str) -> None:
    files = ResultFiles(tmp_path)
    files.save(REPORT)
    (kept,) = tmp_path.rglob("results.json")
    kept.write_text(text)
    assert files.load(digest=DIGEST, suite=SUITE) is None


def test_a_forgotten_report_leaves_the_logs(tmp_path: Path) -> None:
    files = ResultFiles(tmp_path)
    files.save_log("all\n", digest=DIGEST, suite=SUITE, name="a-runs")
    files.save(REPORT)
    files.forget(digest=DIGEST, suite=SUITE)
    files.forget(digest=DIGEST, suite=SUITE)
    assert [path.name for path in tmp_path.rglob("*.*")] == ["a-runs.log"]


def test_junit_counts_skipped_as_skipped_and_is_xml_whatever_a_check_printed() -> None:
    suite = ET.fromstring(junit_text(REPORT))  # noqa: S314 - our own text
    assert suite.attrib == {"name": DIGEST, "time": "3.250", "failures": "1", "skipped": "1", "tests": "3"}
    passed, failed, skipped = suite
    assert passed.attrib == {"classname": "a", "name": "a-runs", "time": "1.250"}
    assert [(child.tag, child.text) for child in passed] == [("system-out", "all that it printed: /r/a-runs.log")]
    assert (failed[0].tag, failed[0].get("message")) == ("failure", "exit code 1")
    assert failed[0].text == "exit code 1\nbell  and [31mred"
    assert (skipped[0].tag, skipped[0].get("message")) == ("skipped", "no right")
