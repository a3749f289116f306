# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The kiosk at the guest's console and on its panel, pictures of the panel, and fingers on it; after common.sh and backend.sh.
size=800x480
explain() { fold -w 100 /dev/vcs1 | grep -a '[^ ]' | head -n 12; tail -n 5 /tmp/log; }

monitor() { # monitor JSON: an order to QEMU, and its answer
    echo "$1" >&5
    while read -r answer <&5; do
        case $answer in
        *'"return"'*) return 0 ;;
        *'"error"'*) echo "$answer"; return 1 ;;
        esac
    done
}
panel() { # the panel's driver, QEMU's monitor, and a display whose orders are kept
    for port in /sys/class/virtio-ports/*; do
        [ "$(cat "$port/name" 2> /dev/null)" != job.monitor ] || exec 5<> "/dev/${port##*/}"
    done
    monitor '{"execute":"qmp_capabilities"}'
    modprobe -a virtio_gpu
    within 20 test -c /dev/dri/card0
    mkdir -p real
    mv login-kiosk-display real/
    cat > login-kiosk-display << 'END'
#!/bin/sh
exec 3<&0
rm -f /tmp/pipe /tmp/orders
mkfifo /tmp/pipe
tee /tmp/orders <&3 > /tmp/pipe 2> /dev/null 3<&- &
exec /job/real/login-kiosk-display "$@" < /tmp/pipe 3<&-
END
    chmod 755 login-kiosk-display
}
display() { pgrep -f '^/job/real/'; }
dpms() { [ "$(cat /sys/class/drm/card0-Virtual-1/dpms)" = "$1" ]; }

dump() { # dump NAME [DEVICE]: what the panel shows now, as /mnt/out/NAME.ppm
    rm -f "/mnt/out/$1.ppm"
    monitor "{\"execute\":\"screendump\",\"arguments\":{\"filename\":\"$1.ppm\",\"device\":\"${2:-panel}\"}}"
}
drawn() { # drawn NAME [DEVICE]: the panel shows the last view that the display was sent
    dump "$1" "${2:-panel}" && ./login-kiosk-dev panel /tmp/orders $size "/mnt/out/$1.ppm"
}
is_drawn() { within "${2:-60}" drawn "$1" "${3:-panel}"; } # is_drawn NAME [SECONDS [DEVICE]]: soon
is_same() { dump "$1" && cmp "/mnt/out/$1.ppm" "/mnt/out/$2.ppm"; } # is_same NAME OTHER: as on an earlier picture

start() { # start [OPTIONS]: the kiosk at the first console, with its keys there
    : > /tmp/log
    TERM=linux setsid -c ./login-kiosk run --state /tmp/state --config /tmp/config --allow-loopback-http --log-level notice \
        --language en "$@" < /dev/tty1 > /dev/tty1 2>> /tmp/log &
    kiosk=$!
}
screen() { fold -w "$(stty -F /dev/tty1 size | cut -d ' ' -f 2)" /dev/vcs1 | sed 's/ *$//' | grep -a .; }
shows() { within "${2:-60}" sees "$1"; } # shows TEXT [SECONDS]: at the console, which has each view, too
sees() { screen | grep -aq "$1"; }
told() { within "${2:-60}" grep -q "$1" /tmp/log; } # told TEXT [SECONDS]: in the kiosk's log
press() { # press KEY...: at the kiosk's terminal, one after the other, as fingers do
    for key in "$@"; do
        perl -e 'use Fcntl; sysopen(T, "/dev/tty1", O_RDWR | O_NOCTTY) or die; ioctl(T, 0x5412, my $key = $ARGV[0]) or die' "$key"
        sleep 0.4
    done
}
enter=$(printf '\r') back=$(printf '\177')

touch_panel() { # touch_panel [OPTIONS of faketouch]: as large as the panel
    modprobe -a evdev uinput
    rm -f /run/touch.ctl
    faketouch --ctl /run/touch.ctl --size $size "$@" 2>> /tmp/faketouch &
    within 15 test -p /run/touch.ctl
}
finger() { echo "$*" > /run/touch.ctl; } # finger COMMAND of faketouch
key() { ./login-kiosk-dev panel /tmp/orders $size | sed -n "s/^$1 \([0-9]* [0-9]*\).*/\1/p" | head -n 1; } # key NAME: its middle
tap() { # tap KEY...: by name, such as enter, back, digit-5, at the place where the panel shows it now
    for name in "$@"; do finger "tap $(key "$name")"; done
}
