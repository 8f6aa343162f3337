"""Make one root below /out: install wheels, lay files, normalise. Runs in a stage: standard library only.

/files/*.whl and /built/*/*.whl are installed below /opt/xpu; /layout.json is a list of
{"target": path, "mode": bits, "text": str} or {"target": path, "link": str}.
"""

import csv
import glob
import json
import os
import shutil
import subprocess

from normalise import normalise

OUT = "/out"
PREFIX = "/opt/xpu"
CACHE = "/var/tmp/uv"


def main():
    os.umask(0o022)
    os.makedirs(OUT)
    wheels = sorted(glob.glob("/files/*.whl") + glob.glob("/built/*/*.whl"))
    if wheels:
        install(wheels)
        forget_installation(f"{OUT}{PREFIX}")
    with open("/layout.json", encoding="utf-8") as layout:
        for entry in json.load(layout):
            lay(entry)
    normalise(OUT)


def install(wheels):
    """Install by name and version from the files at hand, so that no path of the stage gets into direct_url.json.

    The cache lies on the file system of /out: uv unpacks a wheel once, links it into place, and the cache goes.
    """
    requirements = ["==".join(os.path.basename(wheel).split("-")[:2]) for wheel in wheels]
    folders = sorted({os.path.dirname(wheel) for wheel in wheels})
    subprocess.run(
        [
            "/usr/local/bin/uv", "pip", "install", "--quiet", "--no-config", "--offline", "--no-index", "--no-deps",
            "--no-build", "--python", f"{PREFIX}/bin/python", "--prefix", f"{OUT}{PREFIX}", "--link-mode", "hardlink",
            "--cache-dir", CACHE, *[f"--find-links={folder}" for folder in folders], *requirements,
        ],
        check=True,
    )  # fmt: skip
    shutil.rmtree(CACHE)


def forget_installation(prefix):
    """Remove what tells of this installation rather than of the wheel: lock file, cache notes, their RECORD lines."""
    for name in (".lock", "CACHEDIR.TAG", ".gitignore"):
        path = os.path.join(prefix, name)
        if os.path.exists(path):
            os.remove(path)
    for note in glob.glob(f"{prefix}/lib/python3*/site-packages/*.dist-info/uv_cache.json"):
        os.remove(note)
        forget_record_line(os.path.dirname(note), "uv_cache.json")


def forget_record_line(folder, name):
    record = os.path.join(folder, "RECORD")
    with open(record, encoding="utf-8", newline="") as source:
        rows = [row for row in csv.reader(source) if not row[0].endswith(f".dist-info/{name}")]
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
