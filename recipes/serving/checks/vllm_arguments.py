"""vLLM's engine arguments parse, and a wrong one is refused."""

import os

from vllm.engine.arg_utils import EngineArgs
from vllm.utils import FlexibleArgumentParser

parser = EngineArgs.add_cli_args(FlexibleArgumentParser())
words = ["--model", "some/model", "--max-model-len", "4096", "--max-num-batched-tokens", "8192", "--dtype", "bfloat16"]
arguments = EngineArgs.from_cli_args(parser.parse_args(words))
assert (arguments.max_model_len, arguments.max_num_batched_tokens, arguments.dtype) == (4096, 8192, "bfloat16")
try:
    parser.parse_args(["--model", "some/model", "--dtype", "nonsense"])
except SystemExit as refusal:
    assert refusal.code == 2
else:
    raise AssertionError("a wrong dtype was accepted")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
