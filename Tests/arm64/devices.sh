#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs in the emulated machine: scanner and ports on device nodes of an arm64 kernel, with its structures and numbers.
#
#   devices.sh camera
#   devices.sh ports      wants a machine whose clock is counted: a busy one would be too slow for its presses
. ./common.sh

if [ "$1" = camera ]; then
    . ./scanner.sh
    . ./vivid.sh
    verdict
    exit
fi

. ./pads.sh
echo "== a matrix at GPIO lines"
matrix
check "the chip keeps the contract of the port for lines" ./login-kiosk-dev portcheck lines
check "the matrix keeps that of the port for keypads" ./login-kiosk-dev portcheck matrix
check "lamps at its lines keep that of theirs" ./login-kiosk-dev portcheck lamps

echo "== an input device"
modprobe evdev
modprobe uinput
plug_keys /run/one.ctl --uinput --name DoorPad
check "an input device keeps the contract of the port" ./login-kiosk-dev portcheck input name=DoorPad /run/one.ctl
verdict
