#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: presses are counted, on the matrix and on an input device. It wants a guest with counted time.
#
#   presses.sh PRESSES      how many on the matrix; on the input device a quarter
. ./common.sh
. ./pads.sh

on_matrix() { # on_matrix DIGITS NUMBER: the contacts bounce for up to 20 ms, at both ends
    press --hold 50 --gap 60 --bounce $(($2 / 500 % 6)) --bounce-us 2000 "$1"
}
on_keypad() { # on_keypad DIGITS NUMBER: each takes 40 ms
    echo "type $1" > $one
    sleep 21
    within 30 sh -c "test \$(wc -l < /tmp/heard) -gt $(($2 + 500))"
}

pressed() { # pressed COUNT PRESS: as many digits, from seeds; each shall be heard, once, and in its place
    : > /tmp/sent
    n=0
    while [ $n -lt "$1" ]; do
        part=$(digits 500 $n)
        "$2" "$part" $n
        echo "$part" | fold -w 1 >> /tmp/sent
        n=$((n + 500))
        [ $((n % 10000)) != 0 ] || echo "      $n pressed, $(grep -cxE '[0-9]' /tmp/heard) heard"
    done
    sleep 2
    grep -xE '[0-9]' /tmp/heard > /tmp/counted
    check "$n sent, $(wc -l < /tmp/counted) heard, none lost or doubled" cmp /tmp/sent /tmp/counted
}

# Writes the data of the start to the disk now: the emulated disk keeps the only processor for milliseconds.
sync
echo "== $1 presses with bounce on the matrix"
matrix
listen gpio:chip=kpsim,rows=0/1/2/3,columns=4/5/6
pressed "$1" on_matrix
check "no wires fought" test "$(cat $pad/conflicts)" = 0
check "no edge was lost, no key refused" refused grep -E 'edges|lost' /tmp/heard
hush

echo "== $(($1 / 4)) presses on an input device"
input_drivers
one=/run/one.ctl
plug_keys $one --uinput --name DoorPad
listen evdev:name=DoorPad
pressed $(($1 / 4)) on_keypad
hush
echo quit > $one

echo "      $(cut -d ' ' -f 1 /proc/uptime) s of the guest's time"
verdict
