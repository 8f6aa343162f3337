#!/bin/sh
# Say what the image is where a person looks, on the error stream, and become the command.
# XPU_BANNER=1 says it without a terminal too, XPU_BANNER=0 never.
set -eu
banner=${XPU_BANNER-}
if [ -z "$banner" ] && [ -t 2 ]; then
    banner=1
fi
if [ "$banner" = 1 ]; then
    /opt/xpu/bin/python -I -S -c '
import json
with open("/opt/xpu/share/xpubuild/release.json", encoding="utf-8") as text:
    facts = json.load(text)
print("release {release}, edition {edition}: pip keeps the stack as /etc/pip/constraint.txt says".format(**facts))
' >&2 || :
fi
if [ "$#" -eq 0 ]; then
    set -- bash
fi
exec "$@"
