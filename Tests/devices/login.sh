#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the whole kiosk. A QR code in front of /dev/video0, a PIN on the keypad, a login at the reference
# backend; with a matrix at GPIO lines, and again with a USB keypad.
# The scanner's process is started with nothing of this one's environment.
cp -a /job/lib/. /usr/local/lib/
ldconfig
site=http://127.0.0.1:8480
user=gina@example.com pin=2580
passed=0 failed=0

check() { # check NAME COMMAND...: the command must succeed
    name=$1
    shift
    if "$@" > /tmp/check 2>&1; then
        passed=$((passed + 1))
        echo "ok    $name"
    else
        failed=$((failed + 1))
        echo "FAIL  $name"
        { tail -n 5 /tmp/check; tail -n 5 /tmp/screen; tail -n 5 /tmp/log; } | sed 's/^/      /'
    fi
}

within() { # within SECONDS COMMAND...: tries until it succeeds
    tries=$(($1 * 5))
    shift
    until "$@" > /dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.2
    done
}

refused() { # refused COMMAND...: the command must fail
    "$@" && return 1
    return 0
}
shows() { within "${2:-60}" sh -c "tail -n 1 /tmp/screen | grep -q '$1'"; }
browse() { # browse PATH: what a browser gets, which keeps its cookie
    busybox wget -q -S -O - --header "Cookie: $(cat /tmp/cookie)" "$site$1" 2> /tmp/headers
    sed -n 's/.*[Ss]et-[Cc]ookie: \([^;]*\);.*/\1/p' /tmp/headers > /tmp/new-cookie
    [ ! -s /tmp/new-cookie ] || mv /tmp/new-cookie /tmp/cookie
}
enroll() { # enroll [OPTIONS]
    ./login-kiosk enroll --state /tmp/state --config /tmp/config --allow-loopback-http --backend $site --user $user "$@"
}
pad() { fakepad --layout '123/456/789/*0#' --bounce 3 "$1"; }
usb() { echo "type $1" > /run/usb.ctl; }

browser_with_code() { # a browser that is not logged in, its code in front of the camera
    : > /tmp/cookie
    browse / > /dev/null
    browse /qr.png | png-to-clip /tmp/code
    modprobe -a uvcvideo vhci_hcd
    fakecam --ctl /run/camera.ctl --fps 5 --size 640x480 /tmp/code 2> /tmp/fakecam &
    (while sleep 1; do browse /session > /dev/null; done) 2> /dev/null &
    page=$!
    within 30 test -c /dev/video0
}

away() { # the browser and its code go
    kill $page
    wait $page 2> /dev/null
    echo quit > /run/camera.ctl
    within 20 refused test -c /dev/video0
}

run() { # run KEYPAD
    ./login-kiosk run --state /tmp/state --config /tmp/config --allow-loopback-http --plain --language en \
        --source camera --keypad "$1" > /tmp/screen 2> /tmp/log &
    kiosk=$!
}

stop() {
    kill -TERM $kiosk
    wait $kiosk 2> /dev/null
}

logged_in() { browse /protected | grep -q "Hello.*$user"; }

login() { # login KEYPAD PRESS ENTER: from the code to the browser that is logged in
    run "$1"
    check "the code is read from /dev/video0, and consent asked for" shows "Do you want to log in here"
    $2 "$3"
    check "the PIN is asked for" shows "Enter your PIN"
    $2 $pin
    check "four digits are typed" shows '\*\*\*\*_'
    $2 "$3"
    check "the login succeeds" shows "Login successful"
    sleep 3
    check "the browser is logged in" logged_in
    check "the PIN is nowhere on screen or in the log" refused grep -q $pin /tmp/screen /tmp/log
}

# Without systemd nobody has brought it up.
busybox ifconfig lo 127.0.0.1 up

echo "== a user of the reference backend"
./login-kiosk backend --listen 127.0.0.1:8480 --state /tmp/backend > /tmp/served 2>&1 &
: > /tmp/screen
: > /tmp/log
check "the backend serves" within 60 busybox wget -q -O /dev/null "$site/"
check "it is trusted" ./login-kiosk trust add 127.0.0.1:8480 --config /tmp/config
enroll --wait 0 > /tmp/log 2>&1
./login-kiosk backend activate $user --state /tmp/backend
echo $pin > /tmp/pin
check "the user is enrolled" enroll < /tmp/pin

echo "== the PIN on a matrix at GPIO lines"
modprobe kpsim rows=4 cols=3
within 10 test -e /sys/bus/platform/devices/kpsim.0/press
browser_with_code
login gpio:chip=kpsim,rows=0/1/2/3,columns=4/5/6 pad '#'
stop
away

echo "== the PIN on a USB keypad"
modprobe -a evdev usbhid hid-generic dummy_hcd libcomposite usb_f_hid
mount -t configfs none /sys/kernel/config 2> /dev/null
fakekeys --usb 1209:0003 --name USB-Pad --ctl /run/usb.ctl 2> /tmp/fakekeys &
within 15 test -p /run/usb.ctl
within 15 sh -c 'ls /dev/input/by-path/*usb*event-kbd'
browser_with_code
login evdev:1209:0003 usb E
stop
away

echo "== unplugged during the PIN"
browser_with_code
run evdev:1209:0003
check "the code is read" shows "Do you want to log in here"
usb E
check "the PIN is asked for" shows "Enter your PIN"
usb 25
check "two digits are typed" shows '\*\*_'
echo unplug > /run/usb.ctl
check "they are gone with the keypad" shows '______'
echo plug > /run/usb.ctl
sleep 3
usb $pin
check "it is used again" shows '\*\*\*\*_'
usb E
check "the login succeeds" shows "Login successful"
stop
away

echo "$passed passed, $failed failed"
[ $failed = 0 ]
