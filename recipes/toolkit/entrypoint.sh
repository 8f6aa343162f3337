#!/bin/sh
# Say what the image is where a person looks, on the error stream, and become the command.
set -eu
if [ -t 2 ] && [ "${XPU_NO_BANNER:-}" = "" ]; then
    python -c '
import json
facts = json.load(open("/opt/xpu/share/xpubuild/release.json", encoding="utf-8"))
print(f"training-xpu-pytorch {facts[\"release\"]} ({facts[\"edition\"]}); the stack is pinned: /etc/pip/constraint.txt")
' >&2 || true
fi
if [ "$#" -eq 0 ]; then
    set -- bash
fi
exec "$@"
