"""cuDNN makes a handle on a device."""

import ctypes
import os
import sysconfig
from pathlib import Path

cudnn = ctypes.CDLL(str(Path(sysconfig.get_paths()["purelib"], "nvidia/cudnn/lib/libcudnn.so.9")))
cudnn.cudnnGetErrorString.restype = ctypes.c_char_p
handle = ctypes.c_void_p()
status = cudnn.cudnnCreate(ctypes.byref(handle))
assert status == 0, cudnn.cudnnGetErrorString(status).decode()
assert cudnn.cudnnDestroy(handle) == 0
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
