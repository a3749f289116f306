#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Packs the same programs once more, at another time and with another mask for new files, and compares the bytes.
#
#   reproducible.sh PACKAGES COMMAND...
#
# COMMAND packs into the folder that is its last word: e.g. deploy/packages/build.sh RELEASE. PACKAGES has what it made.
set -eu
[ $# -ge 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
again=$(mktemp -d)
packages=$1
shift
trap 'rm -rf "$again"' EXIT
(umask 077 && TZ=Pacific/Apia LC_ALL=C env "$@" "$again") > "$again/log" 2>&1 ||
    { cat "$again/log" >&2; exit 70; }
for deb in "$again"/*.deb; do
    cmp "$deb" "$packages/${deb##*/}" || {
        echo "packages: ${deb##*/} is not the same a second time" >&2
        echo "hint: of another commit, or other programs, it never is: make deb" >&2
        exit 1
    }
done
echo "ok    the packages are the same a second time"
