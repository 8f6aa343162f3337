#!/bin/sh
# Install the locked .debs in /files onto the base, without network. Runs in a stage.
set -eu
umask 022
# Byte-code that maintainer scripts compile holds sets in the order of their hashes.
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 PYTHONHASHSEED=0
# No service may start: there is no init here.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 0755 /usr/sbin/policy-rc.d
apt-get -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0 --quiet --yes --no-install-recommends install /files/*.deb
rm /usr/sbin/policy-rc.d
dpkg --audit
