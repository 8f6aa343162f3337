"""Build the locked sdist in /files into /dist with the locked build requirements beside it. Runs in a stage.

Standard library only. NAME and VERSION in the environment are the lock's: any other result is a fault.
"""

import email.parser
import glob
import os
import subprocess
import sys
import zipfile


def main():
    os.umask(0o022)
    (sdist,) = (path for path in glob.glob("/files/*") if not path.endswith(".whl"))
    subprocess.run(
        [
            "/usr/local/bin/uv", "build", "--wheel", "--quiet", "--no-config", "--offline", "--no-index",
            "--find-links=/files", "--cache-dir=/var/tmp/uv", "--python=/usr/bin/python3", "--out-dir=/dist", sdist,
        ],
        check=True,
        env={
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": "/tmp",
            "LC_ALL": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "SOURCE_DATE_EPOCH": "1577836800",
            "SETUPTOOLS_SCM_PRETEND_VERSION": os.environ["VERSION"],
            "DS_BUILD_OPS": "0",
        },
    )  # fmt: skip
    (wheel,) = glob.glob("/dist/*.whl")
    refuse_other(wheel, os.environ["NAME"], os.environ["VERSION"])


def refuse_other(wheel, name, version):
    with zipfile.ZipFile(wheel) as archive:
        (member,) = (item for item in archive.namelist() if item.endswith(".dist-info/METADATA"))
        metadata = email.parser.BytesParser().parsebytes(archive.read(member))
    built = metadata["Name"].lower().replace("_", "-").replace(".", "-"), metadata["Version"]
    if built != (name, version):
        sys.exit(f"the sdist of {name} {version} gave a wheel of {built[0]} {built[1]}")


main()
