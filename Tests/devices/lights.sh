#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: two lamps and a buzzer at simulated GPIO lines, from the idle screen to a login. It wants a guest with
# counted time, where no light is too short to be seen.
. ./common.sh
. ./pads.sh
. ./backend.sh
lamps=chip=kpsim,green=KP_EXTRA0,red=KP_EXTRA1,buzzer=KP_EXTRA2
events=/sys/kernel/tracing

watch() { # from now on the kernel writes down what the three lines are set to
    mount -t tracefs none $events
    mount -t debugfs none /sys/kernel/debug
    first=$(sed -n 's/^gpiochip.*GPIOs \([0-9]*\)-.*kpsim.*/\1/p' /sys/kernel/debug/gpio)
    green=$((first + 7))
    echo "get == 0 && gpio >= $green && gpio <= $((green + 2))" > $events/events/gpio/gpio_value/filter
    echo 1 > $events/events/gpio/gpio_value/enable
}
mark() { : > $events/trace; }
played() { # the lights since the mark: G green, R red, B buzzer, - none, each when it was another than before
    awk -v green=$green '/gpio_value: .* set / {
        on[$(NF - 2) - green] = $NF
        if ($(NF - 2) != green + 2) next
        now = (on[0] ? "G" : "") (on[1] ? "R" : "") (on[2] ? "B" : "")
        if (now == "") now = "-"
        if (now != last) printf "%s%s", last == "" ? "" : " ", now
        last = now
    }' $events/trace
}
plays() { # plays PATTERN: the lights since the mark are these
    within 20 has_played "$1" || { played; return 1; }
}
has_played() { played | grep -qxE "$1"; }
lit() { # what the chip's lines are now
    awk '/KP_EXTRA0 .*level=1/ { s = s "G" } /KP_EXTRA1 .*level=1/ { s = s "R" } /KP_EXTRA2 .*level=1/ { s = s "B" }
        END { print s == "" ? "-" : s }' $pad/state
}
keys() { echo "type $1" > /run/one.ctl; }

echo "== a user of the reference backend"
serve

echo "== lamps and buzzer at GPIO lines"
matrix
watch
input_drivers
plug_keys /run/one.ctl --uinput --name DoorPad
come
browse /qr.png > /tmp/code.png
mark
run evdev:name=DoorPad file,loop,rate=5:/tmp/code.png --lights $lamps
check "the code is read" shows "Do you want to log in here"
check "ready, seen, working, ask" plays '((G|-) )*GB( (G|-))* GRB GR'
check "both lamps are lit while the kiosk asks" test "$(lit)" = GR
mark
keys E
check "the PIN is asked for" shows "Enter your PIN"
check "ask" plays 'GRB GR'
for digit in 1 2 3 4 5 6 7 8 9 0; do
    mark
    keys $digit
    plays 'B - GR'
    mark
    keys B
    plays 'B - GR' && echo "$digit" >> /tmp/alike
done
check "every digit has the same light and tone, and so has taking it back" test "$(tr -d '\n' < /tmp/alike)" = 1234567890
mark
keys 1111
check "four digits are typed" shows '\*\*\*\*_'
check "four times the same, too quick for the light to come back" plays '(B - ){4}GR'
mark
keys E
check "it is the wrong PIN" shows "Wrong PIN"
check "working, failure" plays '((G|-) )*RB R.*'
check "the PIN is asked for again" shows "Enter your PIN"
check "ask after failure" plays '((G|-) )*RB R GRB GR'
keys $pin
check "four digits are typed" shows '\*\*\*\*_'
mark
keys E
check "the login succeeds" shows "Login successful"
check "working, success" plays '((G|-) )*GB G GB G'
check "green is lit after it" test "$(lit)" = G
leave
mark
keys E
check "the idle screen" shows "Scan the login QR code"
check "ready" plays '((G|-) )*G - G -.*'
mark
echo unplug > /run/one.ctl
check "trouble" plays '((G|-) )*R - R -.*'
stop
check "all is dark at the end" test "$(lit)" = -
echo quit > /run/one.ctl

verdict
