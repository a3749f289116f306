#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes an image once more as a stranger would: of the version's time, in another folder, with another mask for new files, another
# time zone, and the public key alone. Compares the bytes. As root.
#
#   reproducible.sh ARCHITECTURE PACKAGES FOLDER
#
# PACKAGES has the kiosk's package for Debian 13. FOLDER has the image, or gets it (made.sh).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# = 3 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
architecture=$1 packages=$2 folder=$3
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
. "$here/made.sh"
again=$(mktemp -d -p "$folder" .again.XXXXXX)
trap 'rm -rf --one-file-system "$again"' EXIT
openssl pkey -in "$folder/key.pem" -pubout -out "$again/update.pem"

date=$(sed -E 's/.*\+([0-9]{12})-.*/\1/' <<< "${image##*/}")
epoch=$(date -u -d "${date:0:8} ${date:8:4}" +%s)
make_another() { # make_another NAME: names the image in `another`
    (umask 077 && SOURCE_DATE_EPOCH=$epoch UPDATE_KEY=$again/update.pem TZ=Pacific/Apia LC_ALL=C \
        "$top/deploy/image/build.sh" "$architecture" "$packages" "$again/$1") || exit 70
    another=$again/$1/${image##*/}
}
root() { # root IMAGE: where its slot a begins, in bytes
    echo $(($(sfdisk --dump "$1" | sed -n 's/.*start= *\([0-9]*\),.*login-kiosk-a.*/\1/p') * 512))
}
installed() { unsquashfs -o "$(root "$1")" -cat "$1" var/lib/dpkg/status; }

make_another second
if ! cmp --silent <(installed "$image") <(installed "$another"); then
    echo "image: Debian has newer packages than ${image##*/}; a third image is compared with the second"
    image=$another
    make_another third
fi
for file in "$image" "$image.zst"; do
    cmp "$file" "$(dirname "$another")/${file##*/}" && continue
    echo "image: ${file##*/} is not the same a second time. In its root differ:" >&2
    for side in "$image" "$another"; do
        unsquashfs -quiet -no-progress -o "$(root "$side")" -d "$again/$([ "$side" = "$image" ] && echo one || echo other)" \
            "$side" > /dev/null
    done
    diff --brief --recursive --no-dereference "$again/one" "$again/other" 2> /dev/null | head -n 20 >&2 || true
    diff <(unsquashfs -o "$(root "$image")" -lln "$image") <(unsquashfs -o "$(root "$another")" -lln "$another") |
        head -n 20 >&2 || true
    exit 1
done
echo "ok    the image is the same a second time"
