"""NCCL makes a communicator over every visible device."""

import ctypes
import os
import sysconfig
from pathlib import Path

libraries = Path(sysconfig.get_paths()["purelib"], "nvidia")
cuda = ctypes.CDLL(str(libraries / "cuda_runtime/lib/libcudart.so.12"))
nccl = ctypes.CDLL(str(libraries / "nccl/lib/libnccl.so.2"))
nccl.ncclGetErrorString.restype = ctypes.c_char_p
nccl.ncclCommDestroy.argtypes = [ctypes.c_void_p]
count = ctypes.c_int()
assert cuda.cudaGetDeviceCount(ctypes.byref(count)) == 0, "no device is visible"
communicators = (ctypes.c_void_p * count.value)()
status = nccl.ncclCommInitAll(communicators, count, None)
assert status == 0, nccl.ncclGetErrorString(status).decode()
for communicator in communicators:
    assert nccl.ncclCommDestroy(communicator) == 0
print(f"a communicator over {count.value} devices")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
