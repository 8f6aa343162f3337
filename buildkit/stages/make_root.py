"""Make one root below $OUT: install wheels, lay files, normalise. Runs in a stage: standard library only.

/files/*.whl and /built/*/*.whl are installed below /opt/xpu; /layout.json is a list of
{"target": path, "mode": bits, "text": str}, {"target": path, "link": str} or {"target": path, "winner": distribution}:
whose file stays where several distributions bring one path with different bytes.
"""

import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from normalise import normalise

OUT = os.environ["OUT"]
PREFIX = "/opt/xpu"
CACHE = "/var/tmp/uv"


def main():
    os.umask(0o022)
    os.makedirs(OUT)
    with open("/layout.json", encoding="utf-8") as layout:
        entries = json.load(layout)
    wheels = sorted(glob.glob("/files/*.whl") + glob.glob("/built/*/*.whl"))
    if wheels:
        install(wheels)
        settle(wheels, {entry["target"]: normal(entry["winner"]) for entry in entries if "winner" in entry})
        shutil.rmtree(CACHE)
        forget_installation(f"{OUT}{PREFIX}")
    for entry in entries:
        if "winner" not in entry:
            lay(entry)
    normalise(OUT)


def install(wheels, *more):
    """Install by name and version from the files at hand, so that no path of the stage gets into direct_url.json.

    The cache lies on the file system of $OUT: uv unpacks a wheel once, links it into place, and the cache goes.
    """
    requirements = ["==".join(name_and_version(wheel)) for wheel in wheels]
    folders = sorted({os.path.dirname(wheel) for wheel in wheels})
    subprocess.run(
        [
            "/usr/local/bin/uv", "pip", "install", "--quiet", "--no-config", "--offline", "--no-index", "--no-deps",
            "--no-build", "--python", f"{PREFIX}/bin/python", "--prefix", f"{OUT}{PREFIX}", "--link-mode", "hardlink",
            "--cache-dir", CACHE, *[f"--find-links={folder}" for folder in folders], *more, *requirements,
        ],
        check=True,
    )  # fmt: skip


def name_and_version(wheel):
    return os.path.basename(wheel).split("-")[:2]


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def settle(wheels, winners):
    """Where two distributions bring one path: uv installs side by side, and whose file stays would be chance."""
    clashes = {path: found for path, found in recorded().items() if len(set(found.values())) > 1}
    faults = [
        f"  {path}: {' and '.join(sorted(map(distribution_of, found)))} bring it, with different bytes"
        for path, found in sorted(clashes.items())
        if winners.get(path) not in map(distribution_of, found)
    ]
    if faults:
        sys.exit("\n".join(["a recipe has to say whose file stays (winners):", *faults]))
    again = {winners[path] for path in clashes}
    if again:
        install([wheel for wheel in wheels if normal(name_and_version(wheel)[0]) in again], "--reinstall")
    for path, found in clashes.items():
        for folder in found:
            if distribution_of(folder) != winners[path]:
                forget_record_line(folder, path)


def recorded():
    """By path in the image: the digest of what each distribution brings there, by the distribution's folder."""
    found = {}
    for record in sorted(glob.glob(f"{OUT}{PREFIX}/lib/python3*/site-packages/*.dist-info/RECORD")):
        folder = os.path.dirname(record)
        with open(record, encoding="utf-8", newline="") as source:
            for row in csv.reader(source):
                if row[1]:
                    found.setdefault(place_of(folder, row[0]), {})[folder] = row[1]
    return found


def distribution_of(folder):
    return normal(os.path.basename(folder).split("-")[0])


def place_of(folder, path):
    """Where in the image a path lies that a RECORD names."""
    return os.path.normpath(os.path.join(os.path.dirname(folder)[len(OUT) :], path))


def forget_installation(prefix):
    """Remove what tells of this installation rather than of the wheel: lock file, cache notes, their RECORD lines."""
    for name in (".lock", "CACHEDIR.TAG", ".gitignore"):
        path = os.path.join(prefix, name)
        if os.path.exists(path):
            os.remove(path)
    for note in glob.glob(f"{prefix}/lib/python3*/site-packages/*.dist-info/uv_cache.json"):
        os.remove(note)
        forget_record_line(os.path.dirname(note), note[len(OUT) :])


def forget_record_line(folder, path):
    record = os.path.join(folder, "RECORD")
    with open(record, encoding="utf-8", newline="") as source:
        rows = [row for row in csv.reader(source) if place_of(folder, row[0]) != path]
    with open(record, "w", encoding="utf-8", newline="") as target:
        csv.writer(target, lineterminator="\n").writerows(rows)


def lay(entry):
    path = OUT + entry["target"]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if "link" in entry:
        os.symlink(entry["link"], path)
        return
    with open(path, "x", encoding="utf-8", newline="") as target:
        target.write(entry["text"])
    os.chmod(path, entry["mode"])


main()
