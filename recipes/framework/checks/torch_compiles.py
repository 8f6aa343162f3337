"""torch.compile calls the image's compiler and gives the same numbers."""

import os

import torch


def smooth(x):
    return torch.nn.functional.silu(x) * x.cos() + x.sum()


sample = torch.randn(256)
compiled = torch.compile(smooth, fullgraph=True)
assert torch.allclose(compiled(sample), smooth(sample), atol=1e-4)
from torch._dynamo.utils import counters  # noqa: E402

assert counters["stats"]["unique_graphs"] >= 1, dict(counters["stats"])
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
