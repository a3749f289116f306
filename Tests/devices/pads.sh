# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Simulated keypads in the guest, and the program that listens to them; after common.sh.
export LD_LIBRARY_PATH=/job/lib
pad=/sys/bus/platform/devices/kpsim.0

explain() { tail -n 5 /tmp/heard; tail -n 3 /tmp/complaints; }

matrix() { # matrix [OPTIONS of kpsim]: another pad of 4 x 3
    rmmod kpsim 2> /dev/null
    modprobe kpsim rows=4 cols=3 "$@"
    within 10 test -e $pad/press
    within 10 sh -c 'ls /dev/gpiochip*'
}
press() { fakepad --layout '123/456/789/*0#' "$@"; }

input_drivers() { # what fakekeys needs
    modprobe -a evdev uinput usbhid hid-generic dummy_hcd libcomposite usb_f_hid
    mount -t configfs none /sys/kernel/config 2> /dev/null
}
plug_keys() { # plug_keys FIFO OPTIONS of fakekeys...
    fifo=$1
    shift
    rm -f "$fifo"
    fakekeys --ctl "$fifo" "$@" 2>> /tmp/fakekeys &
    within 15 test -p "$fifo"
}

listen() { # listen KEYPAD...: what the keypads say goes to /tmp/heard, digits and all
    : > /tmp/heard
    options=
    for keypad in "$@"; do options="$options --keypad $keypad"; done
    # Unquoted on purpose: no keypad here has a space in its name.
    # shellcheck disable=SC2086
    ./login-kiosk keypad test --show $options >> /tmp/heard 2> /tmp/complaints &
    listener=$!
    says ready
}
hush() { # ends it as a person would
    kill -INT "$listener" 2> /dev/null
    wait "$listener" 2> /dev/null
}

says() { within "${2:-20}" grep -q "$1" /tmp/heard; }
keys() { grep -xE '[0-9]|enter|back|clear|menu' /tmp/heard | tr -d '\n'; }
hears() { within "${2:-20}" sh -c "test \"\$(grep -xE '[0-9]|enter|back|clear|menu' /tmp/heard | tr -d '\n')\" = '$1'"; }
silent() { test "$(wc -l < /tmp/heard)" -eq "$1"; } # silent LINES: it has said no more than so many
digits() { # digits COUNT SEED
    awk -v count="$1" -v seed="$2" 'BEGIN { srand(seed); for (n = 0; n < count; n++) printf "%d", int(10 * rand()) }'
}
