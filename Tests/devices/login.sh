#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the whole kiosk. A QR code in front of /dev/video0, a PIN on the keypad, a login at the reference
# backend; with a matrix at GPIO lines, and again with a USB keypad.
. ./common.sh
. ./pads.sh
. ./backend.sh

pad() { press --bounce 3 "$1"; }
usb() { echo "type $1" > /run/usb.ctl; }

browser_with_code() { # its code is in front of the camera
    come
    browse /qr.png | png-to-clip /tmp/code
    modprobe -a uvcvideo vhci_hcd
    fakecam --ctl /run/camera.ctl --fps 5 --size 640x480 /tmp/code 2> /tmp/fakecam &
    within 30 test -c /dev/video0
}

away() { # the browser and its code go
    leave
    echo quit > /run/camera.ctl
    within 20 refused test -c /dev/video0
}

login() { # login KEYPAD PRESS ENTER [SOURCE]: from the code to the browser that is logged in
    run "$1" "${4:-camera}"
    check "the code is read from /dev/video0, and consent asked for" shows "Do you want to log in here"
    $2 "$3"
    check "the PIN is asked for" shows "Enter your PIN"
    $2 $pin
    check "four digits are typed" shows '\*\*\*\*_'
    $2 "$3"
    check "the login succeeds" shows "Login successful"
    check "the browser is logged in" within 60 logged_in
    check "the PIN is nowhere on screen or in the log" refused grep -q $pin /tmp/screen /tmp/log
}

echo "== a user of the reference backend"
serve

echo "== the PIN on a matrix at GPIO lines"
matrix
browser_with_code
login gpio:chip=kpsim,rows=0/1/2/3,columns=4/5/6 pad '#'
stop
away

echo "== the PIN on a USB keypad, the code from a webcam with spare bytes in its frames"
input_drivers
plug_keys /run/usb.ctl --usb 1209:0003 --name USB-Pad
within 15 sh -c 'ls /dev/input/by-path/*usb*event-kbd'
browser_with_code
login evdev:1209:0003 usb E camera,format=MJPG
stop
away

echo "== unplugged during the PIN"
browser_with_code
run evdev:1209:0003 camera
check "the code is read" shows "Do you want to log in here"
usb E
check "the PIN is asked for" shows "Enter your PIN"
usb 25
check "two digits are typed" shows '\*\*_'
plug_keys /run/gift.ctl --uinput --name Gift
echo "type 1234567890E" > /run/gift.ctl
sleep 3
check "of another keyboard no digit is taken" shows '| \*\*____'
echo quit > /run/gift.ctl
echo unplug > /run/usb.ctl
check "the screen says that the keypad is gone" shows "The keypad does not answer"
echo plug > /run/usb.ctl
check "its digits are gone with it" shows '______'
usb $pin
check "it is used again" shows '\*\*\*\*_'
usb E
check "the login succeeds" shows "Login successful"
stop
away

verdict
