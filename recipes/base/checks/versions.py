"""Every distribution of the release is installed at its version, and no other distribution is there."""

import json
import os
from importlib.metadata import distributions

with open("/opt/xpu/share/xpubuild/release.json", encoding="utf-8") as facts:
    release = json.load(facts)


def normal(name):
    return name.lower().replace("_", "-").replace(".", "-")


installed = {normal(d.metadata["Name"]): d.version for d in distributions() if "/opt/xpu/" in str(d.locate_file(""))}
faults = [
    f"{name}: installed {version}, locked {release['distributions'].get(name, 'not at all')}"
    for name, version in sorted(installed.items())
    if release["distributions"].get(name) != version
]
assert installed, "no distribution is installed"
assert not faults, "\n".join(faults)
print(f"{len(installed)} distributions are at their locked versions")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
