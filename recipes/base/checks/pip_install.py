"""`pip install` of something that depends on a distribution of the stack leaves the stack alone.

A local folder offers a newer build of a distribution that the image holds, as an index would, and packages that ask for
it in the ways in which installers are known to replace it. The image's own pip and the older one that Debian puts into
environments of `python3 -m venv` run with the image's configuration. Projects that ask for newer build tools still build.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

with open("/opt/xpu/share/xpubuild/release.json", encoding="utf-8") as facts:
    release = json.load(facts)
VICTIM = "torch" if "torch" in release["distributions"] and Path("/opt/xpu/bin/torchrun").exists() else "pip"
HAVE = version(VICTIM)
OFFERED = Path("/tmp/offered")
BACKEND = """
import zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(f"{folder}/probe-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("probe-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: probe\\nVersion: 1.0\\n")
        archive.writestr("probe-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr("probe-1.0.dist-info/RECORD", "".join(f"{name},,\\n" for name in archive.namelist()))
    return "probe-1.0-py3-none-any.whl"
"""


def offer(name, number, *requires, module=""):
    stem = f"{name.replace('-', '_')}-{number}"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n"
    files = {
        f"{name.replace('-', '_')}_probe.py": module,
        f"{stem}.dist-info/METADATA": metadata + "".join(f"Requires-Dist: {line}\n" for line in requires),
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: check\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = []
    for path, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(text)}\n")
    files[f"{stem}.dist-info/RECORD"] = "".join(rows) + f"{stem}.dist-info/RECORD,,\n"
    with zipfile.ZipFile(OFFERED / f"{stem}-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)


def project(name, *requires):
    folder = Path("/tmp", name)
    folder.mkdir()
    needed = json.dumps(["setuptools>=9000", *requires])
    text = f'[build-system]\nrequires = {needed}\nbuild-backend = "setuptools_probe"\n'
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return str(folder)


def install(pip, *words):
    command = [sys.executable, *pip, "install", "--no-index", f"--find-links={OFFERED}", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    code = f"from importlib.metadata import version; print(version({VICTIM!r}))"
    now = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert now == HAVE, f"`pip install {' '.join(words)}` replaced {VICTIM} {HAVE} by {now}"
    print(f"pip install {' '.join(words)}: exit code {done.returncode}, {VICTIM} is still {HAVE}")
    return done


def uninstall(pip, *names):
    subprocess.run([sys.executable, *pip, "uninstall", "--yes", *names], capture_output=True, check=True)


def hold_against(pip):
    refused = install(pip, "asks-for-newer")
    assert refused.returncode, "a demand for a newer build was not refused"
    install(pip, "--upgrade", VICTIM)
    install(pip, "--upgrade", "--upgrade-strategy", "eager", "asks-for-any")
    done = install(pip, "asks-for-any", newer_tools)
    assert done.returncode == 0, done.stderr
    uninstall(pip, "asks-for-any", "probe")
    done = install(pip, "--target=/tmp/elsewhere", builds_against)
    assert done.returncode, f"a project was built against another {VICTIM} than the image's"


OFFERED.mkdir()
offer(VICTIM, "9999.0")
offer("setuptools", "9999.0", module=BACKEND)
offer("asks-for-any", "1.0", VICTIM)
offer("asks-for-newer", "1.0", f"{VICTIM}>{HAVE}")
newer_tools, builds_against = project("newer-tools"), project("builds-against", VICTIM)
(old,) = Path("/usr/share/python-wheels").glob("pip-*.whl")
assert old.name.split("-")[1] != version("pip"), "both pips are the same"
for pip in (["-m", "pip"], [f"{old}/pip"]):
    told = subprocess.run([sys.executable, *pip, "--version"], capture_output=True, text=True, check=True).stdout
    print(told.strip())
    hold_against(pip)
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
