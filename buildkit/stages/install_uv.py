"""Put the locked uv and an empty Python environment into the builder. Runs in a stage: standard library only."""

import glob
import os
import zipfile

PREFIX = "/opt/xpu"
UV = "/usr/local/bin/uv"


def main():
    (wheel,) = glob.glob("/files/*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith(".data/scripts/uv"))
        with open(UV, "wb") as target:
            target.write(archive.read(member))
    os.chmod(UV, 0o755)
    os.makedirs(f"{PREFIX}/bin")
    os.symlink("/usr/bin/python3", f"{PREFIX}/bin/python")
    with open(f"{PREFIX}/pyvenv.cfg", "w", encoding="utf-8") as configuration:
        configuration.write("home = /usr/bin\ninclude-system-site-packages = false\n")


main()
