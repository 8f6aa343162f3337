"""A whole product in small: a checkout of its own with made wheels, served by a mirror of its own that can misbehave."""

from __future__ import annotations

import base64
import hashlib
import http.server
import io
import shutil
import threading
import uuid
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from xpubuild import wiring
from xpubuild.model.artifact import Artifact, Origin, Wheel
from xpubuild.model.lock import Lock, Request
from xpubuild.model.lock_codec import read_builder_lock, read_lock, write_lock

ROOT = Path(__file__).resolve().parent.parent


def wheel_bytes(
    name: str, version: str, files: dict[str, str] | None = None, *, requires: tuple[str, ...] = ()
) -> bytes:
    """A wheel (PEP 427) with a right RECORD."""
    stem = f"{name.replace('-', '_')}-{version}"
    contents = dict(files or {f"{name.replace('-', '_')}/__init__.py": f"__version__ = {version!r}\n"})
    lines = "".join(f"Requires-Dist: {line}\n" for line in requires)
    contents[f"{stem}.dist-info/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{lines}"
    contents[f"{stem}.dist-info/WHEEL"] = "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    rows = []
    for path, text in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(text.encode())}\n")
    contents[f"{stem}.dist-info/RECORD"] = "".join(rows) + f"{stem}.dist-info/RECORD,,\n"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in contents.items():
            archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), text)
    return buffer.getvalue()


@dataclass
class Mirror:
    """An HTTP server on loopback. `files` by path; `faults` are answers (status) that a path gives so many times."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[int]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    elsewhere: str = ""

    def __enter__(self) -> Self:
        mirror = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                mirror._answer(self)

            do_HEAD = do_GET  # noqa: N815 - the library's name

            def log_message(self, *_: object) -> None:
                """Tests print what they have to say."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def _answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        path = request.path.lstrip("/")
        self.asked.append(f"{request.command} {path}")
        planned = self.faults.get(path) or []
        if planned:
            status = planned[0] if len(planned) == 1 else planned.pop(0)
            if status:
                request.send_response(status)
                request.send_header("Content-Length", "0")
                request.end_headers()
                return
            planned.clear()
        content = self.files.get(path)
        if content is None:
            request.send_response(302 if self.elsewhere else 404)
            if self.elsewhere:
                request.send_header("Location", f"{self.elsewhere}/{path}")
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        start, end = _range_of(request.headers.get("Range"), len(content))
        request.send_response(206 if request.headers.get("Range") else 200)
        request.send_header("Content-Length", str(end - start))
        request.end_headers()
        if request.command == "GET":
            request.wfile.write(content[start:end])


def _range_of(header: str | None, size: int) -> tuple[int, int]:
    if not header:
        return 0, size
    first, last = header.removeprefix("bytes=").split("-")
    return int(first), min(int(last) + 1, size)


RECIPE = '''"""The component {name}."""

from xpubuild.authoring import CommandCheck, Facts, Recipe

RECIPE = Recipe(
    component="{name}",
    title="{name}",
    facts=Facts(summary="a test"),
    distributions=("{name}",),
    environment=(("PATH", "/opt/xpu/bin:/usr/bin:/bin"),),
    checks=(
        CommandCheck(
            name="{name}-runs", command=("python", "-c", "import {name}; print({name}.__version__)"), expects=r"\\d"
        ),
    ),
)
'''


class Tiny:
    """A checkout with the release 1.0 of made distributions, on the base of a real release."""

    def __init__(self, folder: Path, mirror: Mirror) -> None:
        self.folder = folder
        self.mirror = mirror
        self.salt = uuid.uuid4().hex
        mirror.elsewhere = dict(wiring.site().mirrors)["pypi"]
        shutil.copytree(ROOT / "buildkit", folder / "buildkit")
        (folder / "recipes").mkdir()
        (folder / "recipes" / "__init__.py").write_text('"""Recipes of a test."""\n')
        family = folder / "images" / "tiny"
        family.mkdir(parents=True)
        (family / "family.toml").write_text(
            'name = "tiny"\ntitle = "Tiny"\ndefault-edition = "cuda"\ntime-zone = "UTC"\nrunner = "r"\n'
            '[editions.cuda]\nrepository = "tiny"\n[targets.public]\nhost = "registry.example"\nnamespace = "tests"\n'
            '[tags]\nrelease = "{release}"\npost = "{release}.post{number}"\nnightly = "{release}-nightly-{date}"\n'
            "[limits]\nlayers = 60\nlayer-bytes = 2_000_000_000\n"
        )
        (folder / "site.toml").write_text(f'[index]\nurl = "{mirror.url}/simple"\nfiles = "{mirror.url}"\n')
        real = next((ROOT / "images").glob("*/25.03.cuda.lock"))
        self._base = read_lock(real.read_text(), where="real").base
        self.builder = read_builder_lock((ROOT / "buildkit/builder.lock").read_text(), where="builder")
        self.wheels: dict[str, Wheel] = {}

    @property
    def environment(self) -> dict[str, str]:
        """What makes the console command work in this checkout."""
        return {"XPUBUILD_CHECKOUT": str(self.folder), "XPUBUILD_CONFIG": str(self.folder / "site.toml")}

    def have(self, name: str, version: str = "1.0", files: dict[str, str] | None = None) -> Wheel:
        """Make a distribution, serve it, and write the release and its lock anew with it."""
        files = files or {f"{name}/__init__.py": f"__version__ = {version!r}\n"}
        content = wheel_bytes(name, version, {**files, f"{name}/salt.py": f"# {self.salt}\n"})
        file = f"{name}-{version}-py3-none-any.whl"
        digest = hashlib.sha256(content).hexdigest()
        path = f"packages/{digest[:8]}/{file}"
        self.mirror.files[path] = content
        artifact = Artifact(file=file, size=len(content), sha256=digest, origin=Origin("pypi", path))
        self.wheels[name] = Wheel(name=name, version=version, artifact=artifact, contents=None)
        recipe = self.folder / "recipes" / f"{name}.py"
        if not recipe.exists():
            recipe.write_text(RECIPE.format(name=name))
        self.write()
        return self.wheels[name]

    def lock(self) -> Lock:
        """The lock of the release as it stands."""
        wheels = tuple(self.wheels[name] for name in sorted(self.wheels))
        request = Request(
            cut_off="2025-04-01",
            requirements=tuple(sorted(f"{wheel.name}=={wheel.version}" for wheel in wheels)),
            overrides=(),
            system=(),
            base="debian-12",
        )
        return Lock(
            release="1.0", edition="cuda", python="3.11", platform="linux/amd64", epoch=1795781544, request=request,
            base=self._base, system=(), wheels=wheels, sdists=(), build=(), shared_paths=(), files=(),
        )  # fmt: skip

    def write(self, lock: Lock | None = None) -> None:
        """Write release file and lock."""
        family = self.folder / "images" / "tiny"
        components = "".join(f'{name} = "{wheel.version}"\n' for name, wheel in sorted(self.wheels.items()))
        head = (
            'release = "1.0"\ncut-off = "2025-04-01"\n[editions.cuda]\nbase = "debian-12"\n[editions.cuda.components]\n'
        )
        (family / "1.0.toml").write_text(head + components)
        (family / "1.0.cuda.lock").write_text(write_lock(lock or self.lock()))

    def with_artifact(self, name: str, **changes: object) -> None:
        """Lock something else of a wheel than what is served."""
        wheel = self.wheels[name]
        self.wheels[name] = replace(wheel, artifact=replace(wheel.artifact, **changes))  # type: ignore[arg-type]
        self.write()
