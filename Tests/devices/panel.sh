#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the kiosk on a panel, compared with what its views look like.
. ./common.sh
. ./backend.sh
. ./screen.sh

requested() { dmesg | grep -q "comm=\"$1.*DRM_IOCTL_MODE_$2\$"; } # requested PROGRAM REQUEST: of the kernel, by its own notes
code() { # a browser comes, and its code is in front of the camera
    come
    browse /qr.png | png-to-clip /tmp/code
    echo "show /tmp/code" > /run/camera.ctl
}
answer() { # answer KEY TEXT: until the console shows it; no key has an effect before the panel has shown what it agrees to
    sees "$2" && return
    press "$1"
    sees "$2"
}
greet() { printf '\033[2J\033[H\033[?25l\033[0mhello' > "$1"; } # greet CONSOLE
since_start() { clock; echo $((now - started)); } # hundredths of a second

echo "== the console on a panel"
panel
fc-cache
greet /dev/tty1
console_is_shown() { dump console && [ "$(tail -c +16 /mnt/out/console.ppm | tr -d '\000' | wc -c)" -gt 200 ]; }
check "the panel shows the console's text" within 20 console_is_shown

echo "== a screen on which nothing changes"
echo 1 > /sys/module/drm/parameters/debug
start --config /tmp/nothing --state /tmp/nowhere
check "the panel shows that nothing is trusted" is_drawn untrusted 120
check "by an atomic commit" requested login-kiosk-dis ATOMIC
check "and by none of the older calls" refused requested login-kiosk-dis SETCRTC
echo 0 > /sys/module/drm/parameters/debug
idle() { # no ticks in 20 s
    before=$(ticks "$(display)")
    sleep 20
    test "$(ticks "$(display)")" -eq "$before"
}
check "the display's process takes no time in 20 s" idle
stop
greet /dev/tty1
check "at the end the console is back, with its text" within 20 is_same returned console

echo "== a user of the reference backend"
serve
modprobe -a uvcvideo vhci_hcd
fakecam --ctl /run/camera.ctl --fps 5 --size 640x480 nobody 2> /tmp/fakecam &
within 30 test -c /dev/video0

echo "== the scan screen"
clock
started=$now
# A panel that is not there: with none at all nobody could change the look, and a key would be missing.
start --display card9
pause=0.05 check "the console shows it without a panel" shows "Scan the login QR code"
at_console=$(since_start)
check "and so does the panel, as text" dump text
stop
clock
started=$now
start
pause=0.05 told "the panel shows the screen"
at_panel=$(since_start)
echo "      from the start to the scan screen: at the console $at_console, at the panel $at_panel hundredths of a second"
check "the panel shows it, with the camera's picture" is_drawn scan
check "so does the console" shows "Scan the login QR code"
press 1
check "a key shows the menu" is_drawn menu
check "so does the console" shows "What would you like to do"
press "$back"
check "another leaves it" is_drawn scan

echo "== a display that is lost"
mv real away
kill -9 "$(display)"
check "the console is back on the panel, as it looks without one" within 20 is_same killed text
press 1
check "the kiosk goes on there" shows "What would you like to do"
check "which the panel shows, too" within 20 refused is_same killed text
mv away real
check "a display that can be started has the panel again" is_drawn menu 60
kill -STOP "$(display)"
press "$back"
check "one that stands still is started again" is_drawn scan 120
check "which the log has" told "it does not answer"

echo "== other programs"
busybox chvt 2
greet /dev/tty2
check "another console in front has the panel" within 20 is_same front console
check "which the log has" told "another console is in front"
busybox chvt 1
check "the kiosk's own has it again" is_drawn scan
stop
perl -e 'open(C, "+<", "/dev/dri/card0") or die; sleep 1000' &
holder=$!
sleep 1
start
check "a program that draws at the panel is waited for" told "another program draws at the panel"
check "at the console the kiosk works" shows "Scan the login QR code"
kill $holder
check "then the panel is the kiosk's" is_drawn scan
stop

echo "== turned and enlarged"
for degrees in 90 180 270; do
    LOGIN_KIOSK_SCREEN_ROTATION=$degrees LOGIN_KIOSK_SCREEN_SCALE=120 start
    check "by $degrees degrees" is_drawn turned-$degrees
    stop
done

echo "== another panel"
start --display card1
check "one that is not there is waited for" told "no panel is connected"
plug() { # plug NAME SLOT: QEMU keeps the memory of a slot whose card has gone
    monitor '{"execute":"device_add","arguments":{"driver":"bochs-display","id":"'"$1"'","addr":"'"$2"'","xres":"800","yres":"480"}}'
}
check "it is plugged in" plug second 0x10
modprobe bochs
check "the named one shows the screen" is_drawn second 60 second
check "the first has the console" within 20 is_same first text
: > /tmp/log
monitor '{"execute":"device_del","arguments":{"id":"second"}}'
check "it is unplugged" told "no panel is connected"
press 1
check "at the console the kiosk goes on" shows "What would you like to do"
within 20 refused test -e /dev/dri/card1
check "it is plugged in again" plug third 0x11
check "and shows what was chosen meanwhile" is_drawn third 60 third
press "$back"

echo "== a panel that is unplugged in the middle of a PIN"
code
check "consent is asked for" shows "Do you want to log in here" 120
check "the PIN is asked for" within 60 answer "$enter" "Enter your PIN"
press 2 5
check "the panel shows two digits as dots" is_drawn two 60 third
: > /tmp/log
monitor '{"execute":"device_del","arguments":{"id":"third"}}'
check "it is unplugged" told "no panel is connected"
check "they are still there, at the console" shows '^ *\*\*_'
press 8
within 20 refused test -e /dev/dri/card1
check "it is plugged in again" plug fourth 0x12
check "and shows three" is_drawn three 60 fourth
press 3
check "the login succeeds" within 60 answer "$enter" "Login successful"
check "the browser is logged in" within 60 logged_in
leave
stop

echo "== a login while the display is killed every second"
code
start
(while sleep 1; do kill -9 "$(display)"; done) 2> /dev/null &
killer=$!
check "consent is asked for" shows "Do you want to log in here" 120
check "the PIN is asked for" within 60 answer "$enter" "Enter your PIN"
press 2 5 8 3
check "four digits are typed" shows '\*\*\*\*'
check "the login succeeds" within 60 answer "$enter" "Login successful"
check "the browser is logged in" within 60 logged_in
kill $killer
check "the panel shows the kiosk again" is_drawn after 60
check "the PIN is nowhere in the log or in what the display was sent" refused grep -qa $pin /tmp/log /tmp/orders
leave
stop

echo "== at rest"
echo "show nobody" > /run/camera.ctl
LOGIN_KIOSK_CAMERA_REST_AFTER=5 start
check "the panel is lit" is_drawn scan
check "which the kernel knows" dpms On
check "after five minutes without a person it is dark" within 400 dpms Off
check "the display's process takes no time in 20 s" idle
code
check "a code in view lights it" within 60 dpms On
check "and is asked about" shows "Do you want to log in here"
check "on the panel" is_drawn woken
leave
stop

echo "== a driver without atomic mode setting"
# The kernel has none for programs whose name begins with X, for the sake of an old one.
mv real/login-kiosk-display real/X
sed -i 's#real/login-kiosk-display#real/X#' login-kiosk-display
echo "show nobody" > /run/camera.ctl
echo 1 > /sys/module/drm/parameters/debug
LOGIN_KIOSK_CAMERA_REST_AFTER=5 start
check "the panel shows the scan screen" is_drawn scan 120
check "by the older calls" requested X SETCRTC
check "and by no atomic commit" refused requested X ATOMIC
echo 0 > /sys/module/drm/parameters/debug
press 1
check "a key shows the menu" is_drawn menu
press "$back"
check "after five minutes without a person it is dark" within 400 dpms Off
press 1
check "a key lights it" within 20 dpms On
check "and shows the scan screen" is_drawn scan
stop
check "at the end the console is back" within 20 console_is_shown

verdict
