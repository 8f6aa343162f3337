"""megatron-core writes a distributed checkpoint and reads it back."""

import os
from pathlib import Path

os.environ |= {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29556"}

import torch
from megatron.core import dist_checkpointing
from megatron.core.dist_checkpointing import ShardedTensor

if not torch.cuda.is_available():
    # Saving waits for the device's streams and counts the writers that live with a tensor on it: without a device
    # there is nothing to wait for, and the processor counts.
    torch.cuda.synchronize = lambda *_: None
    torch.cuda.current_device = lambda: torch.device("cpu")


def main():
    torch.distributed.init_process_group("gloo")
    folder = Path("/tmp/checkpoint")
    folder.mkdir()
    weight = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    dist_checkpointing.save({"weight": ShardedTensor.from_rank_offsets("weight", weight)}, str(folder))
    empty = {"weight": ShardedTensor.from_rank_offsets("weight", torch.zeros(4, 6))}
    loaded = dist_checkpointing.load(empty, str(folder))
    assert torch.equal(loaded["weight"], weight), loaded
    print(sorted(path.name for path in folder.iterdir()))
    print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")


# Its writers are processes that import this file anew.
if __name__ == "__main__":
    main()
