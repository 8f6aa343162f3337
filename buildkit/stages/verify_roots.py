"""Refuse roots that cannot be merged onto the base. Runs in a stage: standard library only.

/base is the base, /roots/NN-NAME each root. Refused: one path with different content in two roots, a directory where
the base has a link (it would replace /lib or /bin), a directory of the base with another mode or owner. Several files
of one content under one path are accepted and listed in the root that this step makes.
"""

import filecmp
import json
import os
import stat
import sys

from normalise import normalise

ROOTS = "/roots"
OUT = os.environ["OUT"]
LISTING = f"{OUT}/opt/xpu/share/xpubuild/roots.json"


def main():
    os.umask(0o022)
    faults, owners, shared, listing = [], {}, [], []
    for place in sorted(os.listdir(ROOTS)):
        name = place.split("-", 1)[1]
        count = 0
        for path, state in entries_of(f"{ROOTS}/{place}"):
            faults += against_base(name, path, state)
            if stat.S_ISDIR(state.st_mode):
                continue
            count += 1
            earlier = owners.setdefault(path, place)
            if earlier != place:
                faults += against_root(path, earlier, place)
                shared.append(path)
        listing.append({"root": name, "paths": count})
    if faults:
        sys.exit("\n".join(["these roots cannot be merged:", *faults[:50], f"{len(faults)} faults"]))
    os.makedirs(os.path.dirname(LISTING))
    with open(LISTING, "w", encoding="utf-8") as target:
        json.dump({"roots": listing, "shared": sorted(set(shared))}, target, indent=1, sort_keys=True)
    normalise(OUT)


def entries_of(top):
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        with os.scandir(folder) as found:
            for entry in sorted(found, key=lambda entry: entry.name):
                state = entry.stat(follow_symlinks=False)
                yield entry.path[len(top) :], state
                if stat.S_ISDIR(state.st_mode):
                    waiting.append(entry.path)


def against_base(name, path, state):
    try:
        below = os.lstat(f"/base{path}")
    except (FileNotFoundError, NotADirectoryError):
        return []
    if stat.S_ISDIR(state.st_mode) and stat.S_ISLNK(below.st_mode):
        return [f"  {path}: a directory of {name} would replace the base's link to {os.readlink('/base' + path)}"]
    if stat.S_ISDIR(below.st_mode) != stat.S_ISDIR(state.st_mode):
        return [f"  {path}: {name} would replace a directory of the base by a file, or a file by a directory"]
    if stat.S_ISDIR(state.st_mode) and owner_and_mode(state) != owner_and_mode(below):
        return [f"  {path}: {name} would change mode or owner of the base's directory"]
    return []


def owner_and_mode(state):
    return state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)


def against_root(path, earlier, later):
    first, second = (f"{ROOTS}/{place}{path}" for place in (earlier, later))
    if os.path.islink(first) or os.path.islink(second):
        same = os.path.islink(first) and os.path.islink(second) and os.readlink(first) == os.readlink(second)
    else:
        same = os.path.isfile(second) and filecmp.cmp(first, second, shallow=False)
    if same:
        return []
    return [f"  {path}: {earlier.split('-', 1)[1]} and {later.split('-', 1)[1]} have different content there"]


main()
