"""`accelerate launch` starts a script on the processor, whose model is prepared and trained by a step."""

import os
import subprocess
import sys
from pathlib import Path

WORKER = """
import os
import torch
from accelerate import Accelerator

assert os.environ["ACCELERATE_USE_CPU"].lower() == "true", "not started by accelerate launch"
accelerator = Accelerator()
assert accelerator.device.type == "cpu", accelerator.device
model = torch.nn.Linear(4, 1)
before = model.weight.detach().clone()
model, optimiser = accelerator.prepare(model, torch.optim.SGD(model.parameters(), lr=0.1))
accelerator.backward(model(torch.ones(2, 4)).pow(2).mean())
optimiser.step()
assert not torch.equal(before, accelerator.unwrap_model(model).weight.detach()), "no weight moved"
print("trained by accelerate launch", flush=True)
"""
worker = Path("/tmp/worker.py")
worker.write_text(WORKER, encoding="utf-8")
command = ["accelerate", "launch", "--cpu", "--num_processes=1", "--num_machines=1", "--mixed_precision=no"]
done = subprocess.run([*command, "--dynamo_backend=no", str(worker)], capture_output=True, text=True, check=False)
print(done.stdout, done.stderr, file=sys.stderr)
assert done.returncode == 0, f"accelerate launch ended with {done.returncode}"
assert "trained by accelerate launch" in done.stdout, done.stdout
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
