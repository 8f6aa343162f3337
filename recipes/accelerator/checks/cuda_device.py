"""CUDA's run time finds a device, and what is written to its memory is read back."""

import ctypes
import os
import sysconfig
from pathlib import Path

TO_DEVICE, TO_HOST = 1, 2
cuda = ctypes.CDLL(str(Path(sysconfig.get_paths()["purelib"], "nvidia/cuda_runtime/lib/libcudart.so.12")))
cuda.cudaGetErrorString.restype = ctypes.c_char_p


def call(name, *arguments):
    status = getattr(cuda, name)(*arguments)
    assert status == 0, f"{name}: {cuda.cudaGetErrorString(status).decode()}"


count = ctypes.c_int()
call("cudaGetDeviceCount", ctypes.byref(count))
assert count.value, "no device is visible"
given, back, memory = os.urandom(1 << 16), ctypes.create_string_buffer(1 << 16), ctypes.c_void_p()
size = ctypes.c_size_t(len(given))
call("cudaMalloc", ctypes.byref(memory), size)
call("cudaMemcpy", memory, given, size, TO_DEVICE)
call("cudaMemcpy", back, memory, size, TO_HOST)
call("cudaFree", memory)
assert back.raw == given, "other bytes came back"
print(f"{count.value} devices")
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
