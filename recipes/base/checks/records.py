"""Every file of every distribution is there with the bytes that its wheel recorded: nothing was patched or overlaid."""

import base64
import hashlib
import os
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distributions


def fault_of(path, wanted):
    mode, *_ = (held.mode for held in wanted)
    try:
        with open(path, "rb") as content:
            digest = hashlib.file_digest(content, mode).digest()
    except OSError as fault:
        return str(fault)
    found = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return None if found in {held.value for held in wanted} else f"{path} holds other bytes than RECORD says"


installed = [held for held in distributions() if "/opt/xpu/" in str(held.locate_file(""))]
# Two distributions may bring one path, as fastapi and fastapi-cli do with their command: it is as one of them says.
files = defaultdict(list)
for recorded in (recorded for held in installed for recorded in held.files or () if recorded.hash):
    files[os.path.normpath(recorded.locate())].append(recorded.hash)
assert len(files) > len(installed), "no distribution has a RECORD"
for path, wanted in files.items():
    if len({held.value for held in wanted}) > 1:
        print(f"{path} is brought by several distributions, with different bytes")
# hashlib lets other threads run while it digests.
with ThreadPoolExecutor(max_workers=4) as pool:
    faults = [fault for fault in pool.map(fault_of, files, files.values()) if fault]
assert not faults, "\n".join(faults[:50])
print(f"{len(files)} files of {len(installed)} distributions are as recorded")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
