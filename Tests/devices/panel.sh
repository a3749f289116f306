#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the kiosk on a panel, compared with what its views look like.
. ./common.sh
. ./pads.sh
. ./backend.sh
. ./screen.sh

echo "== the console on a panel"
panel
fc-cache
printf '\033[2J\033[H\033[?25lhello' > /dev/tty1
console_is_shown() { dump console && [ "$(tail -c +16 /mnt/out/console.ppm | tr -d '\000' | wc -c)" -gt 200 ]; }
check "the panel shows the console's text" within 20 console_is_shown

echo "== a user of the reference backend"
serve
modprobe -a uvcvideo vhci_hcd
fakecam --ctl /run/camera.ctl --fps 5 --size 640x480 dave 2> /tmp/fakecam &
within 30 test -c /dev/video0

echo "== the scan screen"
start
check "the panel shows the scan screen, with the camera's picture" is_drawn scan 120
check "so does the console" shows "Scan the login QR code"
press 1
check "a key shows the menu" is_drawn menu
check "so does the console" shows "What would you like to do"

stop
verdict
