"""perf counts what a command does, where the kernel lets it."""

import os
import subprocess

told = subprocess.run(["perf", "stat", "-e", "task-clock", "true"], capture_output=True, text=True, check=False)
nonce = os.environ["XPUBUILD_NONCE"]
refusals = (
    "No permission",
    "not supported",
    "perf_event_paranoid",
    "Operation not permitted",
    "Function not implemented",
)
if told.returncode and any(refusal in told.stderr for refusal in refusals):
    print(f"xpubuild-skip: {nonce}: the kernel gives no right to count events: {told.stderr.strip().splitlines()[0]}")
else:
    assert told.returncode == 0, told.stderr
    assert "task-clock" in told.stderr, told.stderr
    print(f"xpubuild-nonce: {nonce}")
