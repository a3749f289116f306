# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# A login at the image, with a backend and a camera that are laid into its memory; sourced by test.sh.

tools=$work/tools
compiled "$tools"
dpkg-deb --extract "$(ls "$packages"/login-kiosk-backend_*_"$architecture".deb | tail -n 1)" "$tools"
rm -rf "$tools/usr/share"
fresh
power_on
check "it comes to the first screen" ready "$patience"
until_done 120 inside true
# Below the overlay in memory nothing of it lasts.
hand_in "$tools"
limit=900 inside browser enroll > "$work/registered" 2>&1
check "the user is registered" grep -q '^registered' "$work/registered"
log_in
power_off
