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

_RESULTS = "results.json"
_JUNIT = "junit.xml"


class ResultFiles:
    """`ports.results.Results` below `root`: a directory for each pair of image and suite."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def load(self, *, digest: str, suite: str) -> Report | None:
        """See the port."""
        try:
            told = json.loads((self._folder(digest, suite) / _RESULTS).read_text(encoding="utf-8"))
            results = tuple(Result(**result) for result in told["results"])
            fits = (told["digest"], told["suite"]) == (digest, suite)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not fits:
            return None
        return Report(digest=digest, suite=suite, results=results)

    def forget(self, *, digest: str, suite: str) -> None:
        """See the port."""
        for name in (_RESULTS, _JUNIT):
            (self._folder(digest, suite) / name).unlink(missing_ok=True)

    def save(self, report: Report) -> str:
        """See the port."""
        folder = self._folder(report.digest, report.suite)
        _write(folder / _JUNIT, junit_text(report))
        _write(folder / _RESULTS, json.dumps(asdict(report), indent=1))
        return str(folder)

    def save_log(self, text: str, *, digest: str, suite: str, name: str) -> str:
        """See the port."""
        path = self._folder(digest, suite) / f"{name}.log"
        _write(path, text)
        return str(path)

    def _folder(self, digest: str, suite: str) -> Path:
        return self._root / digest.removeprefix("sha256:")[:24] / suite.removeprefix("sha256:")[:24]


def junit_text(report: Report) -> str:
    """The report as JUnit XML: skipped checks as skipped, each with the file of what it printed."""
    counts = {"failures": report.count("failed"), "skipped": report.count("skipped"), "tests": len(report.results)}
    suite = ET.Element(
        "testsuite",
        {
            "name": report.digest,
            "time": f"{sum(result.seconds for result in report.results):.3f}",
            **{name: str(count) for name, count in counts.items()},
        },
    )
    for result in report.results:
        _add_case(suite, result)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True)


def _add_case(suite: ET.Element, result: Result) -> None:
    case = ET.SubElement(
        suite, "testcase", {"classname": result.component, "name": result.name, "time": f"{result.seconds:.3f}"}
    )
    reason = _printable(result.reason)
    if result.status != "passed":
        kind = "failure" if result.status == "failed" else "skipped"
        ET.SubElement(case, kind, {"message": reason.partition("\n")[0]}).text = reason
    if result.log:
        ET.SubElement(case, "system-out").text = f"all that it printed: {result.log}"


def _printable(text: str) -> str:
    """Without the characters that XML 1.0 has no way to write (section 2.2)."""
    return "".join(mark for mark in text if mark in "\t\n" or (mark >= " " and mark not in "\ufffe\uffff"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
