#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes of an image's root an update that kiosks take: what build.sh calls, and what tests call with another version.
#
#   update.sh ROOT.squashfs VERSION ARCHITECTURE KEY.pem FOLDER [DATE]
#
# KEY.pem is the private Ed25519 key: openssl genpkey -algorithm ed25519 -out KEY.pem. FOLDER may lie on any web server. DATE is by
# default the present time: year, month, day, hour and minute in UTC as twelve digits.
set -eu
[ $# = 5 ] || [ $# = 6 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
mkdir -p "$5"
file=login-kiosk-$2-$3.squashfs
[ "$1" -ef "$5/$file" ] || cp "$1" "$5/$file"
printf 'version=%s\ndate=%s\narchitecture=%s\nfile=%s\nsize=%s\nsha256=%s\n' "$2" "${6:-$(date -u +%Y%m%d%H%M)}" "$3" "$file" "$(stat -L -c %s "$5/$file")" \
    "$(sha256sum "$5/$file" | cut -d ' ' -f 1)" > "$5/.update"
openssl pkeyutl -sign -inkey "$4" -rawin -in "$5/.update" -out "$5/update-$3.sig"
mv "$5/.update" "$5/update-$3"
