#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Boots the guest with systemd and the installed service, and logs a browser in there.
#
#   test-service.sh INSTALLED
#
# INSTALLED is the DESTDIR of a `make install`, or a folder of packages that `make deb` made for this Debian: these are installed in
# the guest, and updated there in the middle of a login.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
installed=$1
cache=${LOGIN_KIOSK_DEVICES:-${XDG_CACHE_HOME:-$HOME/.cache}/login-kiosk/devices}
# Two runs at once would take the guest from each other.
mkdir -p "$cache"
exec 9> "$cache/lock"
flock --nonblock 9 || { echo "devices: waiting for another run with $cache" >&2; flock 9; }
"$here/build-guest.sh" "$cache"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/lib"
if ls "$installed"/*.deb > /dev/null 2>&1; then
    mkdir "$work/packages" "$work/unpacked"
    for package in login-kiosk login-kiosk-display login-kiosk-backend; do
        cp "$installed/${package}_"*"+deb$(. /etc/os-release; echo "$VERSION_ID")_$(dpkg --print-architecture).deb" "$work/packages/"
    done
    for deb in "$work"/packages/*.deb; do dpkg-deb --extract "$deb" "$work/unpacked"; done
    # The next version: the same under another number.
    dpkg-deb --raw-extract "$work"/packages/login-kiosk_*.deb "$work/next"
    sed -i 's/^Version: .*+/Version: 99+/' "$work/next/DEBIAN/control"
    dpkg-deb -Zgzip -z1 --root-owner-group --build "$work/next" "$work/update.deb" > /dev/null
    installed=$work/unpacked
else
    cp -a "$installed" "$work/installed"
    chown -R 0:0 "$work/installed" 2> /dev/null || true
fi
cp "$here/common.sh" "$here/service.sh" "$here/../../deploy/activate.sh" "$work/"
cp "$here/prepare-service.sh" "$work/prepare.sh"
files=$here/../../deploy/image/files/usr/lib
cp "$files"/systemd/system/login-kiosk-image-first.service "$files"/systemd/system/login-kiosk-image-setup.service \
    "$files"/udev/rules.d/90-login-kiosk-image.rules "$work/"
# The guest is the same Debian, so its C library does.
for program in "$installed"/usr/bin/login-kiosk* "$installed"/usr/libexec/login-kiosk/login-kiosk-*; do
    ldd "$program" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | grep -vE '/(libc|libm|libpthread|libdl|ld-linux.*)\.so' |
        while read -r library; do cp -Lu "$library" "$work/lib/"; done
done
rm -rf "$work/unpacked" "$work/next"
# A panel.
DEVICES="-device bochs-display" \
    BOOT=systemd "$here/run-guest.sh" "$cache" 900 "$work" "sh ./service.sh"
