"""NCCL loads without a driver and says the version that its distribution has."""

import ctypes
import os
import sysconfig
from importlib.metadata import version
from pathlib import Path

nccl = ctypes.CDLL(str(Path(sysconfig.get_paths()["purelib"], "nvidia/nccl/lib/libnccl.so.2")))
number = ctypes.c_int()
assert nccl.ncclGetVersion(ctypes.byref(number)) == 0
said = f"{number.value // 10000}.{number.value // 100 % 100}.{number.value % 100}"
locked = version("nvidia-nccl-cu12")
assert said == locked, f"the library says {said}, its distribution {locked}"
print(f"NCCL {said}")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
