"""cuDNN loads without a driver and says the version that its distribution has."""

import ctypes
import os
import sysconfig
from importlib.metadata import version
from pathlib import Path

cudnn = ctypes.CDLL(str(Path(sysconfig.get_paths()["purelib"], "nvidia/cudnn/lib/libcudnn.so.9")))
cudnn.cudnnGetVersion.restype = ctypes.c_size_t
number = cudnn.cudnnGetVersion()
said = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
locked = version("nvidia-cudnn-cu12")
assert locked.startswith(f"{said}."), f"the library says {said}, its distribution {locked}"
print(f"cuDNN {said}")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
