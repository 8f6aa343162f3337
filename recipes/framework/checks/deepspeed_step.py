"""A DeepSpeed engine makes a step on the processor with PyTorch's Adam."""

import os

os.environ |= {
    "DS_ACCELERATOR": "cpu", "RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "1",
    "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29555",
}  # fmt: skip

import deepspeed
import torch

deepspeed.init_distributed(dist_backend="gloo")
model = torch.nn.Linear(8, 1)
before = model.weight.detach().clone()
engine, _, _, _ = deepspeed.initialize(
    model=model,
    config={
        "train_batch_size": 4,
        "optimizer": {"type": "AdamW", "params": {"lr": 0.1, "torch_adam": True}},
        "zero_optimization": {"stage": 0},
    },
)
loss = engine(torch.ones(4, 8)).pow(2).mean()
engine.backward(loss)
engine.step()
assert engine.global_steps == 1, engine.global_steps
assert not torch.equal(before, engine.module.weight.detach().cpu()), "no weight moved"
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
