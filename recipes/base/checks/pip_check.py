"""`pip check` reports exactly the demands that the release overrides on purpose."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import distributions

with open("/opt/xpu/share/xpubuild/release.json", encoding="utf-8") as facts:
    release = json.load(facts)


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def name_of(requirement):
    return normal(re.match(r"[A-Za-z0-9._-]+", requirement)[0])


installed = {normal(d.metadata["Name"]) for d in distributions()}
expected = {
    (name_of(override["against"]), name_of(override["requirement"]))
    for override in release["overrides"]
    if name_of(override["against"]) in installed and name_of(override["requirement"]) in installed
}
told = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
found, others = set(), []
for line in told.stdout.splitlines():
    mismatch = re.match(r"(\S+) \S+ has requirement ([^,]+), but you have (\S+) ", line)
    missing = re.match(r"(\S+) \S+ requires (\S+), which is not installed", line)
    if mismatch:
        found.add((normal(mismatch[1]), name_of(mismatch[2])))
    elif (missing and normal(missing[2]) not in release["distributions"]) or (
        not missing and not line.startswith("No broken requirements")
    ):
        others.append(line)
complete = set(release["distributions"]) <= installed
assert not others, "\n".join(others)
assert found == expected if complete else found <= expected, f"pip check: {found}, expected: {expected}\n{told.stdout}"
print(f"pip check reports {sorted(found)}, as the release says")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
