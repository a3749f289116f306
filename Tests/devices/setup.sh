#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the guided first start by touch alone, and left in the middle.
. ./common.sh
. ./backend.sh
. ./screen.sh

begin() { # the guided first start at the first console, with its keys there
    : > /tmp/log
    TERM=linux setsid -c ./login-kiosk setup --state /tmp/state --config /tmp/config < /dev/tty1 > /dev/tty1 2>> /tmp/log &
    kiosk=$!
}
ends() { # ends CODE: it ends with this code
    within 60 refused kill -0 $kiosk
    wait $kiosk
    [ $? = "$1" ]
}
# choose LABEL: the key with this label, at the place where the panel shows it now
choose() { finger "tap $(./login-kiosk-dev panel /tmp/orders $size | sed -n "s/^[^ ]* \([0-9]* [0-9]*\) $1.*/\1/p" | head -n 1)"; }
hit() { # hit KIND TEXT: on the keys KIND-CHARACTER, whose places are read once
    places=$(./login-kiosk-dev panel /tmp/orders $size)
    for character in $(printf %s "$2" | sed 's/./& /g'); do
        finger "tap $(printf '%s\n' "$places" | awk -v name="$1-$character" '$1 == name { print $2, $3; exit }')"
        finger "gap 200"
    done
}
ok() { # ok WORDS: OK, and then these words
    tap enter
    check "OK leads to: $1" shows "$1"
    check "the panel shows it" is_drawn setup
}

echo "== a new kiosk with a panel and a touch panel on it"
panel
fc-cache
modprobe -a uvcvideo vhci_hcd
busybox ifconfig lo 127.0.0.1 up
mkdir -p /tmp/config
touch_panel
fakecam --ctl /run/camera.ctl --fps 5 --size 640x480 ./alice 2> /tmp/fakecam &
within 30 test -c /dev/video0
begin
check "it asks for the language" shows 'Language of the screens' 120
check "the panel shows the languages" is_drawn setup-language
choose Deutsch
check "the camera is asked for in that language" shows 'Schritt 2 von 9'
check "the panel shows it" is_drawn setup-camera
tap enter
check "a code in front of it is read" shows 'Ein QR-Code ist gelesen' 120
tap enter
check "the camera is right" shows 'Stimmt es so'
ok 'Schritt 3 von 9'
ok 'jede Ziffer'
hit digit 0123456789
check "the digits are there" shows '0123456789'
ok 'Alle Ziffern und OK'
ok 'Schritt 4 von 9'
ok 'Schritt 5 von 9'
ok 'Schritt 6 von 9'
ok 'Schritt 7 von 9'
hit letter 127.0.0.1
check "the host is typed" shows '127.0.0.1'
ok 'Diesem Dienst vertrauen'
ok 'Schritt 8 von 9'
ok 'Das schreiben'
check "nothing is written before" test ! -e /tmp/config/trusted -a ! -e /tmp/config/config.d
ok 'eingerichtet'
tap enter
check "it ends" ends 0
check "the settings are written" grep -q 'language: de' /tmp/config/config.d/80-setup.yaml
check "and the service" grep -qx 127.0.0.1 /tmp/config/trusted

echo "== left in the middle"
cat /tmp/config/trusted /tmp/config/config.d/80-setup.yaml > /tmp/before
begin
check "it begins in the chosen language" shows 'Schritt 1 von 9' 120
check "the panel shows it" is_drawn setup-again
choose English
check "the camera is next" shows 'Step 2 of 9'
check "on the panel, too" is_drawn setup
tap back
check "BACK goes back" shows 'Step 1 of 9'
check "on the panel, too" is_drawn setup
tap back
check "and leaves" ends 64
check "with everything as it was" sh -c 'cat /tmp/config/trusted /tmp/config/config.d/80-setup.yaml | cmp - /tmp/before'
verdict
