"""Make a tree the same wherever and whenever it was written. Runs in stages: standard library only."""

import os
import stat

ROOT_EPOCH = 1577836800
"""2020-01-01T00:00:00Z: the time of all that no upstream gave a time. One constant for all releases, so that the same
files give the same layer in each of them."""


def clamp(path, epoch):
    """Move a time later than `epoch` (seconds) back to it; earlier ones stay, .pyc files depend on them."""
    if os.lstat(path).st_mtime > epoch:
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def normalise(top, epoch=ROOT_EPOCH):
    """Give directories 0755, files 0755 or 0644 by their executable bit, and clamp every time, deepest first."""
    for folder, names, files in os.walk(top, topdown=False):
        for name in files + [name for name in names if os.path.islink(os.path.join(folder, name))]:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISREG(mode):
                os.chmod(path, 0o755 if mode & 0o100 else 0o644)
            clamp(path, epoch)
        os.chmod(folder, 0o755)
        clamp(folder, epoch)
