"""The entrypoint greets people on terminals and nobody else, and hands everything through to the command."""

import json
import os
import pty
import subprocess
import sys

ENTRYPOINT = "/opt/xpu/bin/xpu-entrypoint"
with open("/opt/xpu/share/xpubuild/release.json", encoding="utf-8") as facts:
    release = json.load(facts)
GREETING = f"release {release['release']}, edition {release['edition']}"


def run(*command, banner=None, stdin=""):
    environment = {name: value for name, value in os.environ.items() if name != "XPU_BANNER"}
    asked = {} if banner is None else {"XPU_BANNER": banner}
    return subprocess.run(
        [ENTRYPOINT, *command], input=stdin, env=environment | asked, capture_output=True, text=True, check=False
    )


def on_a_terminal(*command):
    told = bytearray()

    def read(terminal):
        piece = os.read(terminal, 1024)
        told.extend(piece)
        return piece

    status = pty.spawn([ENTRYPOINT, *command], read)
    return os.waitstatus_to_exitcode(status), told.decode()


SAY = "import sys; print(sys.argv[1:], sys.stdin.read()); sys.exit(5)"
done = run(sys.executable, "-c", SAY, "two words", "", "$HOME", stdin="given")
assert (done.returncode, done.stderr) == (5, ""), done
assert done.stdout == "['two words', '', '$HOME'] given\n", done.stdout
asked = run("sh", "-c", "echo out; exit 3", banner="1")
assert (asked.returncode, asked.stdout) == (3, "out\n"), asked
assert asked.stderr.startswith(GREETING), asked.stderr
assert len(asked.stderr.splitlines()) == 1, asked.stderr
code, screen = on_a_terminal("sh", "-c", "echo out; exit 4")
assert code == 4, code
assert [line.split(":")[0] for line in screen.splitlines()] == [GREETING, "out"], screen
shell = run(stdin="echo from bash $BASH_VERSION; exit 6\n")
assert shell.returncode == 6, shell
assert shell.stdout.startswith("from bash 5"), shell
missing = run("no-such-command")
assert missing.returncode == 127, missing
print(GREETING)
print(f"xpubuild-nonce: {os.environ['XPUBUILD_NONCE']}")
