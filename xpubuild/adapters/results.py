"""Keep results of smoke tests in files: JSON for us, JUnit XML for CI, one log a check."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from xpubuild.ports.results import Report, Result

if TYPE_CHECKING:
    from pathlib import Path


class ResultFiles:
    """`ports.results.Results` below `root`: a directory for each pair of image and suite."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def load(self, *, digest: str, suite: str) -> Report | None:
        """See the port."""
        try:
            told = json.loads((self._folder(digest, suite) / "results.json").read_text(encoding="utf-8"))
            results = tuple(Result(**result) for result in told["results"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return Report(digest=told["digest"], suite=told["suite"], results=results)

    def save(self, report: Report) -> str:
        """See the port."""
        folder = self._folder(report.digest, report.suite)
        _write(folder / "junit.xml", junit_text(report))
        _write(folder / "results.json", json.dumps(asdict(report), indent=1))
        return str(folder)

    def save_log(self, text: str, *, digest: str, suite: str, name: str) -> str:
        """See the port."""
        path = self._folder(digest, suite) / f"{name}.log"
        _write(path, text)
        return str(path)

    def _folder(self, digest: str, suite: str) -> Path:
        return self._root / digest.removeprefix("sha256:")[:24] / suite.removeprefix("sha256:")[:24]


def junit_text(report: Report) -> str:
    """The report as JUnit XML: skipped checks as skipped."""
    counts = {"failures": report.count("failed"), "skipped": report.count("skipped"), "tests": len(report.results)}
    suite = ET.Element("testsuite", {"name": report.digest, **{name: str(count) for name, count in counts.items()}})
    for result in report.results:
        case = ET.SubElement(
            suite, "testcase", {"classname": result.component, "name": result.name, "time": f"{result.seconds:.3f}"}
        )
        if result.status != "passed":
            kind = "failure" if result.status == "failed" else "skipped"
            first = result.reason.splitlines()[0] if result.reason else ""
            ET.SubElement(case, kind, {"message": first}).text = _printable(result.reason)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def _printable(text: str) -> str:
    """Without the characters that XML 1.0 has no way to write."""
    return "".join(mark for mark in text if mark in "\t\n" or mark >= " ")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
