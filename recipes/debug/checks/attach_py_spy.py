"""py-spy attaches to a live Python process and names the function that it waits in."""

import os
import subprocess
import sys

CODE = "import time\ndef wait_for_debugger():\n    print('up', flush=True)\n    time.sleep(60)\nwait_for_debugger()"
with subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE) as victim:
    victim.stdout.readline()
    command = ["py-spy", "dump", "--pid", str(victim.pid)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    victim.kill()
assert told.returncode == 0, told.stderr
assert "wait_for_debugger" in told.stdout, told.stdout
print(told.stdout)
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
