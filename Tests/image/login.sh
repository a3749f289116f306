# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# A backend in the machine, a USB camera that shows its code, a PIN at the USB keyboard; sourced by test.sh.

tools=$work/tools
mkdir -p "$tools/usr/local/bin"
for tool in fakecam png-to-clip; do
    libraries=
    [ $tool = fakecam ] || libraries="-lpng -lz -lm"
    # shellcheck disable=SC2086
    gcc -O2 -Wall -static -o "$tools/usr/local/bin/$tool" "$here/../devices/tools/$tool.c" $libraries
done
dpkg-deb --extract "$(ls "$packages"/login-kiosk-backend_*_"$architecture".deb | tail -n 1)" "$tools"
cp "$here/browser.sh" "$tools/usr/local/bin/browser"
rm -rf "$tools/usr/share"
fresh
power_on
check "it comes to the first screen" ready "$patience"
until_done 120 inside true
# Below the overlay in memory nothing of it lasts.
tar --create --directory "$tools" --owner 0 --group 0 --mode 755 usr | limit=600 inside 'tar --extract --directory / --no-overwrite-dir'
limit=900 inside browser enroll > "$work/enrolled" 2>&1
check "the user is enrolled" grep -q enrolled "$work/enrolled"
inside browser camera > "$work/camera" 2>&1
check "the code is read, and consent is asked for" until_done 300 shows "Do you want to log in here"
keys ret
check "the PIN is asked for" until_done 120 shows "Enter your PIN"
keys 2 5 8 0
check "four digits are typed, and none is shown" until_done 60 shows '\*\*\*\*'
picture "$folder/pin-$architecture.png"
keys ret
check "the login succeeds" until_done 120 shows "Login successful"
picture "$folder/login-$architecture.png"
check "the browser is logged in" until_done 120 inside browser logged-in
power_off
