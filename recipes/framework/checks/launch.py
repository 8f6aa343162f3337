"""`accelerate launch` starts two processes on the processor that add up their ranks."""

import os
import subprocess
import sys
from pathlib import Path

WORKER = """
import torch
from accelerate import Accelerator

accelerator = Accelerator(cpu=True)
total = accelerator.reduce(torch.tensor([accelerator.process_index + 1.0]), reduction="sum")
assert accelerator.num_processes == 2, accelerator.num_processes
assert total.item() == 3.0, total
print(f"rank {accelerator.process_index} sees {total.item():g}", flush=True)
"""
worker = Path("/tmp/worker.py")
worker.write_text(WORKER, encoding="utf-8")
command = ["accelerate", "launch", "--cpu", "--num_processes=2", "--num_machines=1", "--mixed_precision=no"]
done = subprocess.run([*command, "--dynamo_backend=no", str(worker)], capture_output=True, text=True, check=False)
print(done.stdout, done.stderr, file=sys.stderr)
assert done.returncode == 0, f"accelerate launch ended with {done.returncode}"
assert "rank 0 sees 3" in done.stdout, done.stdout
assert "rank 1 sees 3" in done.stdout, done.stdout
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
