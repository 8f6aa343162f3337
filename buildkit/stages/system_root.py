"""Take what installing packages changed against the base, /lower -> /upper, to $OUT.

Runs in a stage: standard library only. Both trees are walked below their real directories, so a file that dpkg wrote
through /lib or /bin is found where the base's links lead. Directories keep the base's mode, owner and time.
"""

import filecmp
import os
import shutil
import stat
import sys
from fnmatch import fnmatch

from normalise import clamp

LOWER, UPPER, OUT = "/lower", "/upper", os.environ["OUT"]

TRACES = (
    # what only tells when, where and in which order packages were installed
    "dev/*", "proc/*", "run/*", "sys/*", "tmp/*", "var/tmp/*", "root/.*",
    "etc/hostname", "etc/hosts", "etc/resolv.conf", "etc/mtab", "etc/.pwd.lock", "usr/sbin/policy-rc.d",
    "var/log/*", "var/cache/apt/*", "var/lib/apt/*", "var/cache/ldconfig/aux-cache",
    "var/cache/debconf/*-old", "var/lib/dpkg/*-old", "var/lib/dpkg/lock*", "var/lib/dpkg/triggers/Lock",
    "etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "etc/subuid-", "etc/subgid-",
)  # fmt: skip
LEFT_BEHIND = (
    # what an upgrade may remove without harm when the copy in the base stays: a layer of files cannot remove any
    "usr/share/doc/*", "usr/share/man/*", "usr/share/locale/*", "usr/share/lintian/*", "var/lib/dpkg/info/*", "*.pyc",
    "var/lib/dpkg/updates/*", "usr/share/info/*",
)  # fmt: skip


def main():
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    lower, upper = tree_of(LOWER), tree_of(UPPER)
    refuse_removals(sorted(set(lower) - set(upper)))
    changed = sorted(path for path, entry in upper.items() if path not in lower or differ(path, lower[path], entry))
    os.makedirs(OUT)
    copy_times("", epoch)
    for path in changed:
        copy(path, epoch)
    for folder in sorted({parent for path in changed for parent in parents_of(path)}, reverse=True):
        copy_times(folder, epoch)


def tree_of(top):
    found = {}
    for folder, names, files in os.walk(top):
        for name in names + files:
            path = os.path.relpath(os.path.join(folder, name), top)
            if not any(fnmatch(path, pattern) for pattern in TRACES):
                found[path] = os.lstat(os.path.join(folder, name))
        names[:] = [name for name in names if os.path.relpath(os.path.join(folder, name), top) in found]
    return found


def differ(path, old, new):
    if (old.st_mode, old.st_uid, old.st_gid) != (new.st_mode, new.st_uid, new.st_gid):
        return True
    if stat.S_ISLNK(new.st_mode):
        return os.readlink(f"{LOWER}/{path}") != os.readlink(f"{UPPER}/{path}")
    if stat.S_ISREG(new.st_mode):
        if (old.st_size, old.st_mtime_ns) == (new.st_size, new.st_mtime_ns):
            return False
        return not filecmp.cmp(f"{LOWER}/{path}", f"{UPPER}/{path}", shallow=False)
    return False


def refuse_removals(paths):
    removed = [path for path in paths if not any(fnmatch(path, pattern) for pattern in LEFT_BEHIND)]
    removed = [path for path in removed if not any(parent in removed for parent in parents_of(path))]
    if removed:
        sys.exit(
            "installing the packages removes files of the base, which a layer on top of it cannot do:\n  "
            + "\n  ".join(removed[:20])
            + "\nrun `xpubuild lock --refresh-base` so that the base holds the new packages itself"
        )


def copy(path, epoch):
    source, target = f"{UPPER}/{path}", f"{OUT}/{path}"
    for parent in parents_of(path):
        make_directory(parent)
    mode = os.lstat(source).st_mode
    if stat.S_ISDIR(mode):
        make_directory(path)
        copy_times(path, epoch)
        return
    if stat.S_ISLNK(mode):
        os.symlink(os.readlink(source), target)
    elif stat.S_ISREG(mode):
        copy_file(source, target)
    else:
        sys.exit(f"{path} is neither file, directory nor link: it cannot be part of a root")
    state = os.lstat(source)
    os.chown(target, state.st_uid, state.st_gid, follow_symlinks=False)
    if stat.S_ISREG(mode):
        os.chmod(target, stat.S_IMODE(mode))
        for name in os.listxattr(source):
            os.setxattr(target, name, os.getxattr(source, name))
    os.utime(target, ns=(state.st_mtime_ns, state.st_mtime_ns), follow_symlinks=False)
    clamp(target, epoch)


SEEN = {}


def copy_file(source, target):
    """Copy, keeping hard links between files that both changed."""
    state = os.stat(source)
    first = SEEN.setdefault((state.st_dev, state.st_ino), target) if state.st_nlink > 1 else target
    if first == target:
        shutil.copyfile(source, target)
    else:
        os.link(first, target)


def make_directory(path):
    if not os.path.isdir(f"{OUT}/{path}"):
        os.mkdir(f"{OUT}/{path}")
        state = os.lstat(f"{UPPER}/{path}")
        os.chown(f"{OUT}/{path}", state.st_uid, state.st_gid)
        os.chmod(f"{OUT}/{path}", stat.S_IMODE(state.st_mode))


def copy_times(path, epoch):
    """Give a directory the time it has in the base, or the clamped one of the new system."""
    place = LOWER if os.path.isdir(f"{LOWER}/{path}") else UPPER
    time = min(int(os.lstat(f"{place}/{path}").st_mtime), epoch)
    os.utime(f"{OUT}/{path}", (time, time))


def parents_of(path):
    """The directories above a path, outermost first."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


main()
