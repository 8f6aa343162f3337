"""Every file of every distribution is there with the bytes that its wheel recorded: nothing was patched or overlaid."""

import base64
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import distributions


def fault_of(recorded):
    path = recorded.locate()
    try:
        with open(path, "rb") as content:
            digest = hashlib.file_digest(content, recorded.hash.mode).digest()
    except OSError as fault:
        return str(fault)
    found = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return None if found == recorded.hash.value else f"{path} holds other bytes than its RECORD says"


installed = [held for held in distributions() if "/opt/xpu/" in str(held.locate_file(""))]
files = [recorded for held in installed for recorded in held.files or () if recorded.hash]
assert len(files) > len(installed), "no distribution has a RECORD"
# hashlib lets other threads run while it digests.
with ThreadPoolExecutor(max_workers=4) as pool:
    faults = [fault for fault in pool.map(fault_of, files) if fault]
assert not faults, "\n".join(faults[:50])
print(f"{len(files)} files of {len(installed)} distributions are as recorded")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
