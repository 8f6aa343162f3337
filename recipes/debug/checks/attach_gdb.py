"""gdb attaches to a live process and shows where it waits."""

import os
import subprocess

with subprocess.Popen(["sleep", "60"]) as victim:
    command = ["gdb", "--batch", "--pid", str(victim.pid), "-ex", "backtrace", "-ex", "info proc"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    victim.kill()
assert told.returncode == 0, told.stderr
assert "nanosleep" in told.stdout, told.stdout + told.stderr
assert f"process {victim.pid}" in told.stdout, told.stdout
print(told.stdout)
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
