#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Packs the same programs once more, at another time and with another mask for new files, and compares the bytes.
#
#   reproducible.sh RELEASE PACKAGES
#
# PACKAGES is what `make deb` made of the programs in RELEASE.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT
(umask 077 && TZ=Pacific/Apia LC_ALL=C "$here/../../deploy/packages/build.sh" "$1" "$again") > "$again/log" 2>&1 ||
    { cat "$again/log" >&2; exit 70; }
for deb in "$again"/*.deb; do
    cmp "$deb" "$2/${deb##*/}" || { echo "packages: ${deb##*/} is not the same a second time" >&2; exit 1; }
done
echo "ok    the packages are the same a second time"
