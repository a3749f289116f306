#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the kiosk by touch alone, in two languages and both orientations: a registration, a login, another
# PIN. Then what fingers and panels do wrong.
. ./common.sh
. ./backend.sh
. ./screen.sh

middle() { ./login-kiosk-dev panel /tmp/orders $size | sed -n "s/^[^ ]* \([0-9]* [0-9]*\) $1.*/\1/p" | head -n 1; }
choose() { finger "tap $(middle "$1")"; } # choose LABEL: the key with this label, at the place where the panel shows it now
hit() { # hit KIND TEXT: on the keys KIND-CHARACTER, whose places are read once
    places=$(./login-kiosk-dev panel /tmp/orders $size)
    for character in $(printf %s "$2" | sed 's/./& /g'); do
        finger "tap $(printf '%s\n' "$places" | awk -v name="$1-$character" '$1 == name { print $2, $3; exit }')"
        finger "gap 200"
    done
}
letters() { hit letter "$1"; }
digits() { hit digit "$1"; }
code() { # a browser comes, and its code is in front of the camera
    come
    browse /qr.png | png-to-clip /tmp/code
    fakecam --ctl /run/camera.ctl --fps 5 --size 640x480 /tmp/code 2> /tmp/fakecam &
    within 30 test -c /dev/video0
}
away() { # the browser and its code go
    leave
    echo quit > /run/camera.ctl
    within 20 refused test -c /dev/video0
}
words() { # words LANGUAGE: what the screens say
    case $1 in
    en) consent='Do you want to log in here' address='what is your e-mail address' mail='Confirm your e-mail'
        new='Choose a new PIN' again='Type the new PIN again' asked='Enter your PIN' current='Enter your current PIN'
        ended='Login successful' changed='Your PIN has been changed' change='Change my PIN' scan='Scan the login QR code' ;;
    de) consent='sich hier anmelden' address='Ihre E-Mail-Adresse' mail='E-Mail best'
        new='hlen Sie eine neue PIN' again='die neue PIN noch einmal' asked='Geben Sie Ihre PIN ein' current='Ihre jetzige PIN'
        ended='Anmeldung erfolgreich' changed='Ihre PIN wurde ge' change='Meine PIN' scan='Anmelde-Code scannen' ;;
    esac
}

by_touch() { # by_touch LANGUAGE DEGREES: everything that a person does, and no key
    words "$1"
    user=$1@example.com
    rm -rf /tmp/state
    echo "== a registration in $1, turned by $2 degrees"
    code
    LOGIN_KIOSK_SCREEN_ROTATION=$2 start --language "$1" --keypad touch
    check "consent is asked for" shows "$consent" 120
    check "the panel shows it" is_drawn "consent-$1"
    tap enter
    check "an address is asked for" shows "$address"
    check "the panel shows the keyboard" is_drawn "address-$1"
    letters "$user"
    check "it is typed" shows "$user"
    tap enter
    check "a mail is sent" shows "$mail"
    ./login-kiosk-backend activate "$user" --state /tmp/backend
    tap enter
    check "a new PIN is asked for" shows "$new"
    digits $pin
    check "the panel shows the digits as dots" is_drawn "pin-$1"
    tap enter
    check "again" shows "$again"
    digits $pin
    tap enter
    check "the login asks for it" shows "$asked"
    check "and so does the panel" is_drawn "asked-$1"
    digits $pin
    check "four digits are typed" shows '\*\*\*\*'
    tap enter
    check "the login succeeds" shows "$ended"
    check "the browser is logged in" within 60 logged_in
    away
    echo "== a login and another PIN"
    code
    check "consent is asked for" shows "$consent" 120
    tap enter
    check "the PIN is asked for" shows "$asked"
    digits $pin
    tap enter
    check "the login succeeds" shows "$ended"
    check "the browser is logged in" within 60 logged_in
    away
    check "the scan screen is back" shows "$scan" 120
    tap 1
    choose "$change"
    check "the PIN until now is asked for" shows "$current"
    digits $pin
    tap enter
    check "and a new one" shows "$new"
    digits 7391
    tap enter
    check "again" shows "$again"
    digits 7391
    tap enter
    check "it is changed" shows "$changed"
    check "no PIN is in the log or in what the display was sent" refused grep -qaE "$pin|7391" /tmp/log /tmp/orders
    stop
}

echo "== a backend, a panel and a touch panel on it"
panel
fc-cache
modprobe -a uvcvideo vhci_hcd
serve
touch_panel
by_touch en 0
by_touch de 90

echo "== what fingers do wrong"
words en
user=en@example.com
rm -rf /tmp/state
enroll --wait 0 > /tmp/log 2>&1
./login-kiosk-backend activate $user --state /tmp/backend
check "the user is registered" enroll < /tmp/pin
code
start --keypad touch
check "consent is asked for" shows "$consent" 120
finger "two $(key enter) $(key back)"
finger "palm $(key enter)"
finger "slide $(key back) $(key enter)"
check "two fingers, a palm and a slide press nothing" shows "$consent" 5
finger "bounce $(key enter)"
check "a tap that flickers is one press" shows "$asked"
digits 25
check "two digits are typed" shows '^ *\*\*_'
finger "two $(key digit-1) $(key digit-9)"
finger "slide $(key digit-1) $(key digit-9)"
sleep 1
check "and no third one" refused sees '\*\*\*'
finger unplug
check "without the touch panel they are gone" within 20 refused sees '\*'
finger plug
check "it is used again" shows '______'
digits 25
check "for two digits" shows '\*\*_'
finger "flood 20000"
check "a panel that floods lets the kiosk work" shows "$asked\|$scan\|$consent" 60
stop
away

echo "== at rest"
fakecam --ctl /run/camera.ctl --fps 5 --size 640x480 nobody 2> /tmp/fakecam &
within 30 test -c /dev/video0
LOGIN_KIOSK_CAMERA_REST_AFTER=5 start --keypad touch
check "the panel shows the scan screen" is_drawn scan 120
menu=$(key 1)
check "after five minutes without a person it is dark" within 400 dpms Off
finger "tap $menu"
check "a finger lights it" within 20 dpms On
check "and shows the scan screen" is_drawn woken
check "whose keys were not pressed" sees "$scan"
stop
verdict
