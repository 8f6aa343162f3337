#!/bin/sh
# dpkg knows of no half-installed package, and its shared libraries are all there.
set -eu
test -z "$(dpkg --audit)"
for program in /usr/bin/git /usr/bin/curl /usr/bin/ssh /usr/bin/ps; do
    if ldd "$program" | grep 'not found'; then
        echo "$program lacks a library" >&2
        exit 1
    fi
done
echo "xpubuild-nonce: $XPUBUILD_NONCE"
