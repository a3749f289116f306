# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Names an image for `architecture` in `image`, and makes it in `folder` where the one there is of other packages or of another
# recipe. Sourced by tests of images, with `top` and `packages`.

stamp=$(cd "$top" && { find deploy/image -type f -print0 | sort -z | xargs -0 cat; cat "$packages"/login-kiosk{,-display}_*_"$architecture".deb; } |
    sha256sum | cut -c1-16)
if [ "$(cat "$folder/stamp-$architecture" 2> /dev/null)" != "$stamp" ]; then
    rm -rf "$folder"/*"$architecture"* "$folder"/update/*"$architecture"*
    [ -e "$folder/key.pem" ] || openssl genpkey -algorithm ed25519 -out "$folder/key.pem"
    UPDATE_KEY=$folder/key.pem "$top/deploy/image/build.sh" "$architecture" "$packages" "$folder" || exit 70
    echo "$stamp" > "$folder/stamp-$architecture"
fi
image=$(ls "$folder"/login-kiosk-*-"$architecture".img | tail -n 1)
