"""A device is there and multiplies."""

import os

import torch

assert torch.cuda.is_available(), "no CUDA device is visible"
left = torch.randn(512, 512, device="cuda")
assert torch.isfinite(left @ left).all()
print(torch.cuda.get_device_name(0))
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
