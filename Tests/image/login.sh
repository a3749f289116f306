# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# A login at the image, with a backend and a camera that are laid into its memory; sourced by test.sh.

tools=$work/tools
# The backend with the libraries that it depends on: the image has only the kiosk's.
backend=$(ls "$packages"/login-kiosk-backend_*_"$architecture".deb | tail -n 1)
libraries=$(dpkg-deb --field "$backend" Depends | tr ',' '\n' | sed -n 's/^ *\(lib[^ ]*\).*/\1/p' | paste -s -d ,)
(. "$top/deploy/cross/parts.sh" && debian trixie "$architecture" extract "$libraries" "$tools") > "$work/extracted" 2>&1 ||
    tail -n 20 "$work/extracted"
dpkg-deb --extract "$backend" "$tools"
rm -rf "$tools/usr/share"
compiled "$tools"
fresh
power_on
check "it comes to the first screen" ready "$patience"
until_done 120 inside true
# Below the overlay in memory nothing of it lasts.
hand_in "$tools"
limit=900 check "the user is registered" inside browser enroll
log_in
power_off
