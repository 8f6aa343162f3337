"""CUDA's libraries load without a driver and say their version."""

import ctypes
import os
import sysconfig
from pathlib import Path

libraries = Path(sysconfig.get_paths()["purelib"], "nvidia")
for name in ("cuda_runtime/lib/libcudart.so.12", "cuda_nvrtc/lib/libnvrtc.so.12", "cufft/lib/libcufft.so.11"):
    ctypes.CDLL(str(libraries / name), mode=ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(str(libraries / "cuda_nvrtc/lib/libnvrtc.so.12"))
major, minor = ctypes.c_int(), ctypes.c_int()
assert nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor)) == 0
assert major.value == 12, major.value
print(f"NVRTC {major.value}.{minor.value}")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
