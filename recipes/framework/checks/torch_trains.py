"""Forward, backward and a step of an optimiser on the processor; the gradient is the analytic one."""

import os

import torch

torch.manual_seed(0)
weight = torch.randn(4, requires_grad=True)
(weight**2).sum().backward()
assert torch.allclose(weight.grad, 2 * weight.detach())
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.GELU(), torch.nn.Linear(16, 1))
optimiser = torch.optim.AdamW(model.parameters(), lr=0.02)
inputs = torch.randn(64, 8)
targets = inputs.sum(dim=1, keepdim=True)
losses = []
for _ in range(60):
    optimiser.zero_grad()
    loss = torch.nn.functional.mse_loss(model(inputs), targets)
    loss.backward()
    optimiser.step()
    losses.append(loss.item())
assert losses[-1] < losses[0] / 2, losses
print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
