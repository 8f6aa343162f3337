"""`pip install` of something that depends on a distribution of the stack leaves the stack alone.

A local folder offers a newer build of a distribution that the image holds, as an index would, and packages that ask for
it in the ways in which installers are known to replace it. The image's pip runs with the image's configuration.
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


def offer(name, number, *requires):
    stem = f"{name.replace('-', '_')}-{number}"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n"
    files = {
        f"{name.replace('-', '_')}_probe.py": "",
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


def pip(*words):
    command = [sys.executable, "-m", "pip", "install", "--no-index", f"--find-links={OFFERED}", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def still_there(words):
    code = f"from importlib.metadata import version; print(version({VICTIM!r}))"
    now = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert now == HAVE, f"`pip install {' '.join(words)}` replaced {VICTIM} {HAVE} by {now}"


OFFERED.mkdir()
offer(VICTIM, "9999.0")
offer("asks-for-any", "1.0", VICTIM)
offer("asks-for-newer", "1.0", f"{VICTIM}>{HAVE}")
for words, may_succeed in (
    (("asks-for-any",), True),
    (("asks-for-newer",), False),
    (("--upgrade", VICTIM), True),
    (("--upgrade", "--upgrade-strategy", "eager", "asks-for-any"), True),
):
    done = pip(*words)
    still_there(words)
    assert may_succeed or done.returncode, f"`pip install {' '.join(words)}` did not refuse"
    print(f"pip install {' '.join(words)}: exit code {done.returncode}, {VICTIM} is still {HAVE}")
done = pip("asks-for-any")
assert done.returncode == 0, done.stderr
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
