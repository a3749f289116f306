#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and packs the commit once more as a stranger would: in a clone in another folder, at another time, with another mask
# for new files and another time zone. Compares the bytes. As root for another Debian or architecture than this machine's.
# The folder's path is as long as the checkout's: where a closure must not escape, Swift compiles the length of the path in.
#
#   reproducible.sh PACKAGES DEBIAN ARCHITECTURE
#
# PACKAGES has what `make deb` made of the commit.
set -eu
[ $# = 3 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
packages=$(cd "$1" && pwd)
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
again=$(mktemp -d "/tmp/$(printf "%*s" "$((${#top} > 8 ? ${#top} - 5 : 3))" "" | tr " " X)")
trap 'rm -rf --one-file-system "$work" "$again"' EXIT
git clone --quiet "$top" "$again"
(umask 077 && MAKEFLAGS="" TZ=Pacific/Apia LC_ALL=C make -C "$again" deb DEBIAN="$2" ARCH="$3" PACKAGES="$work/packages") \
    > "$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 70; }
for deb in "$work/packages"/*.deb; do
    cmp "$deb" "$packages/${deb##*/}" && continue
    dpkg-deb --raw-extract "$packages/${deb##*/}" "$work/first"
    dpkg-deb --raw-extract "$deb" "$work/second"
    diff --brief --recursive "$work/first" "$work/second" >&2 || true
    echo "packages: ${deb##*/} is not the same a second time" >&2
    echo "hint: of uncommitted changes it never is, nor by another compiler: git status; make deb" >&2
    exit 1
done
echo "ok    the packages are the same a second time, built in another folder"
