#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs, uses, updates, removes and purges the packages in a fresh Debian, with apt and from a signed repository.
#
#   test.sh PACKAGES [DEBIAN [ARCH]]
#
# PACKAGES is what `make deb` made, by default for this machine's Debian: 12 or 13; amd64 or arm64. Programs of the other
# architecture are translated by qemu-user. Needs root. The fresh Debian is kept in LOGIN_KIOSK_PACKAGES, or in the user's
# cache, for a day.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# -ge 1 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
packages=$(cd "$1" && pwd)
cache=${LOGIN_KIOSK_PACKAGES:-${XDG_CACHE_HOME:-$HOME/.cache}/login-kiosk/packages}
debian=${2:-$(. /etc/os-release; echo "$VERSION_ID")}
architecture=${3:-$(dpkg --print-architecture)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/repositories.sh"
mkdir -p "$cache"
repositories "$work/root"
# Signed with another key than the one that operators were given.
cp -a "$work/root/apt-new" "$work/root/apt-foreign"
cp "$work/root/apt-old/login-kiosk.gpg" "$work/root/apt-foreign/"
# A package that was exchanged after signing.
cp -a "$work/root/apt-new" "$work/root/apt-exchanged"
for deb in "$work"/root/apt-exchanged/pool/*/*.deb; do echo >> "$deb"; done

fresh=$(fresh_debian ca-certificates,unattended-upgrades "$suite-$architecture")
root=$work/debian
mkdir "$root"
tar -C "$root" -xf "$fresh"
cp -a "$work/root" "$root/job"
cp "$here/inside.sh" "$here/../devices/common.sh" "$root/job/"
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo "suite=$suite native=$(dpkg --print-architecture)" > "$root/job/facts"
# Translated, everything takes some ten times as long.
limit=1200
[ "$architecture" = "$(dpkg --print-architecture)" ] || limit=7200
# Its own processes and mounts go with it, however it ends.
able timeout --kill-after=10 $limit unshare --mount --propagation private --pid --fork --kill-child sh -c '
    mount -t proc proc "$0/proc"
    mount -t tmpfs tmpfs "$0/run"
    mount -t devtmpfs dev "$0/dev" 2> /dev/null || mount --rbind /dev "$0/dev"
    # The demonstration sits at a terminal made of software.
    mkdir -p "$0/dev/pts" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts"
    exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        sh -c "cd /job && exec sh ./inside.sh"' "$root"
