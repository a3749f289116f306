#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the program's keypads on real device nodes, pressed by simulated fingers.
. ./common.sh
. ./pads.sh

names=gpio:chip=kpsim,rows=KP_ROW0/KP_ROW1/KP_ROW2/KP_ROW3,columns=KP_COL0/KP_COL1/KP_COL2
numbers=gpio:chip=kpsim,rows=0/1/2/3,columns=4/5/6

echo "== a matrix at GPIO lines"
matrix
check "the chip keeps the contract of the port for lines" ./login-kiosk-dev portcheck lines
check "the matrix keeps that of the port for keypads" ./login-kiosk-dev portcheck matrix
check "lamps at its lines keep that of theirs" ./login-kiosk-dev portcheck lamps
check "the chip is listed" sh -c './login-kiosk devices | grep -q "GPIO chip kpsim, 11 lines"'
listen $names
check "nothing is wrong with the wires" silent 1
press --bounce 4 '1234567890*#'
check "every key is heard" hears 1234567890backenter
hush
listen $names
press --bounce 4 '123456789*0#'
check "the order of the keys is right" says "wiring: every key came in its order"
check "the lines are in use" sh -c "timeout 5 ./login-kiosk keypad test --keypad $names | grep -q 'in use by login-kiosk keypad'"
hush
listen $names
press '(124)(1245)'
check "ghosts are refused" says "lost: several keys"
check "and no key is heard" test -z "$(keys)"
press 7
check "the next key is" hears 7
check "no wires fought" test "$(cat $pad/conflicts)" = 0
before=$(ticks $listener)
sleep 20
used=$(($(ticks $listener) - before))
check "idle: $used of 2000 ticks" test $used -lt 10
echo "1 1" > $pad/press
check "a key that is held is heard" hears 75
check "a stuck key is told" says "stuck"
press 1
check "another one is heard beside it" hears 751
echo 1 > $pad/release_all
sleep 1
kill -STOP $listener
press --hold 10 --gap 10 "$(digits 60 1)"
kill -CONT $listener
check "lost edges are noticed" says "edges were not read in time"
press 9
check "and keys are heard" hears 7519
hush
listen $names,idle=open
press --bounce 3 '1590'
check "with open outputs, too" hears 1590
hush

echo "== wrong wires"
listen gpio:chip=kpsim,rows=1/0/2/3,columns=4/5/6
press '123456789*0#'
check "swapped rows are named" says "wiring: row 1 (1) and row 2 (0) are swapped"
hush
listen gpio:chip=kpsim,rows=0/1/2/3,columns=4/6/5
press '123456789*0#'
check "swapped columns are named" says "wiring: column 2 (6) and column 3 (5) are swapped"
hush
listen gpio:chip=kpsim,rows=0/1/2/3,columns=4/8/6
press '123456789*0#'
hush
check "a loose column is named" says "wiring: no key of column 2 (8) was heard"
echo "2 1" > $pad/press
listen $numbers
check "a key that is held down is named" says "wiring: row 3 (2) and column 2 (5) are connected"
hush
matrix no_bias=1
for line in 4 6; do echo "$line up" > $pad/ext; done
listen $numbers
check "a floating column is named" says "wiring: column 2 (5) floats"
hush
echo "4 none" > $pad/ext
echo "6 none" > $pad/ext
listen $numbers
check "a chip without pull resistors is named" says "wiring: no column follows its pull"
hush

echo "== the chip is taken away"
# Linux 6.1 crashes when a chip with names comes back while somebody had its lines.
matrix names=0
listen $numbers
press 12
check "read before" hears 12
echo kpsim.0 > /sys/bus/platform/drivers/kpsim/unbind
check "it is told" says "missing: .*gone"
echo kpsim.0 > /sys/bus/platform/drivers/kpsim/bind
within 10 test -e $pad/press
check "it is used again" within 20 sh -c 'test "$(grep -c ready /tmp/heard)" = 2'
press 34
check "read after" hears 1234
check "the same process all the time" kill -0 $listener
hush

echo "== input devices"
input_drivers
one=/run/one.ctl two=/run/two.ctl
plug_keys $one --uinput --name DoorPad
plug_keys $two --uinput --name Gift
check "they are listed" sh -c './login-kiosk devices | grep -q "keypad DoorPad (1209:0002)"'
check "an input device keeps the contract of the port" ./login-kiosk-dev portcheck input name=DoorPad $one
node=$(./login-kiosk devices | sed -n 's/^\(.*\): keypad DoorPad.*/\1/p')
listen evdev:name=DoorPad
echo "type 1234567890EB*" > $one
check "the keys of a number pad" hears 1234567890enterbackback
echo "top 59E" > $one
check "those of the main block" hears 1234567890enterbackback59enter
before=$(wc -l < /tmp/heard)
echo "type 1234E" > $two
sleep 2
check "of another keyboard no digit is taken" silent "$before"
timeout 4 cat "$node" > /tmp/raw &
raw=$!
sleep 1
echo "type 77" > $one
wait $raw
check "nobody else hears the keypad" test ! -s /tmp/raw
check "a second listener is refused" sh -c "timeout 5 ./login-kiosk keypad test --keypad evdev:$node | grep -q 'another program listens'"
: > /tmp/heard
echo "down 5" > $one
sleep 2
echo up > $one
check "a held key counts once" hears 5
kill -STOP $listener
echo "type $(digits 100 2)" > $one
sleep 6
kill -CONT $listener
check "lost reports are told" says "lost: the system lost reports"
before=$(ticks $listener)
sleep 20
used=$(($(ticks $listener) - before))
check "idle: $used of 2000 ticks" test $used -lt 10
hush
echo quit > $two

echo "== a USB keypad"
plug_keys $two --usb 1209:0003 --name "USB-Pad"
within 15 sh -c 'ls /dev/input/by-path/*usb*event-kbd'
place=$(find /dev/input/by-path -name "*usb*event-kbd" | head -n 1)
listen "evdev:$place"
echo "type 2580E" > $two
check "read by its place" hears 2580enter
n=0
while [ $n -lt 10 ]; do
    n=$((n + 1))
    echo unplug > $two
    within 10 sh -c "test \"\$(grep -c missing: /tmp/heard)\" = $n" || break
    echo plug > $two
    within 20 sh -c "test \"\$(grep -c ready /tmp/heard)\" = $((n + 1))" || break
    echo "type 7" > $two
done
check "unplugged 10 times and used again" hears 2580enter7777777777
check "the same process all the time" kill -0 $listener
hush
listen evdev:1209:0003 evdev:1209:0002
within 10 sh -c 'test "$(grep -c ready /tmp/heard)" = 2'
echo "type 1" > $one
check "two keypads at once: the one" hears 1
echo "type 2" > $two
check "two keypads at once: the other" hears 12
echo unplug > $two
check "one that is gone is told once" says "missing: keypad 1209:0003"
echo "type 3" > $one
check "and the other works" hears 123
hush
echo quit > $one
echo quit > $two

verdict
