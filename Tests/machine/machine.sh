# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# A machine with a disk in it, emulated by QEMU; sourced by the tests of images and packages after ../devices/common.sh. They set
# `work` (a folder of theirs) and `architecture`. It starts by the firmware from its disk, or, where $work/kernel is, with that kernel
# and $work/initrd. `processor` is arm64's: by default a Raspberry Pi 4's, which has no pages of 16 KiB.

say() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }
qemu=

# insert IMAGE SIZE: a card of SIZE with the image written to it, in a machine that was never on. One that runs is switched off: it
# would go on with the card before, and take the processor from the new one.
insert() {
    power_off
    rm -f "$work/card.img" "$work/firmware.img"
    cp --sparse=always "$1" "$work/card.img"
    truncate --size "$2" "$work/card.img"
    [ ! -e "$work/kernel" ] || return 0
    case $architecture in
    amd64) cp /usr/share/OVMF/OVMF_VARS_4M.fd "$work/firmware.img" ;;
    arm64) cp /usr/share/AAVMF/AAVMF_VARS.fd "$work/firmware.img" ;;
    esac
}

# boot_file ACTION...: mtools on the card's boot partition, which lies at its first MiB; ::/ is its top.
boot_file() { local tool=$1; shift; MTOOLS_SKIP_CHECK=1 "$tool" -i "$work/card.img@@1M" "$@"; }

# power_on [OPTION...]: its serial line goes to $work/serial, a new one at each time.
power_on() {
    local options code first=,bootindex=0
    # An older processor: AVX and other newer instructions cost an emulation more than they save: a start takes a third longer.
    case $architecture in
    amd64) options=(qemu-system-x86_64 -M q35 -cpu Nehalem,+rdrand -vga std) code=/usr/share/OVMF/OVMF_CODE_4M.fd ;;
    arm64) options=(qemu-system-aarch64 -M virt -cpu "${processor:-cortex-a72}" -device virtio-gpu-pci) code=/usr/share/AAVMF/AAVMF_CODE.fd ;;
    esac
    if [ -e "$work/kernel" ]; then
        first=
        options+=(-kernel "$work/kernel" -initrd "$work/initrd"
            -append "root=/dev/vda rw quiet loglevel=3 mitigations=off console=ttyS0 console=ttyAMA0 console=tty0")
    else
        options+=(-drive "if=pflash,format=raw,readonly=on,file=$code" -drive "if=pflash,format=raw,file=$work/firmware.img")
    fi
    rm -f "$work/monitor" "$work/serial"
    "${options[@]}" -accel tcg,thread=multi -smp 2 -m 1024 -nodefaults -no-user-config -display none \
        -drive "if=none,id=card,format=raw,cache=unsafe,file=$work/card.img" -device "virtio-blk-pci,drive=card$first" \
        -smbios type=1,serial=TEST-4711 -device virtio-rng-pci -device i6300esb -action watchdog=reset \
        -device qemu-xhci -device usb-kbd -nic "user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:0-:22" \
        -serial "file:$work/serial" -monitor "unix:$work/monitor,server,nowait" "$@" < /dev/null 2> "$work/qemu.log" &
    qemu=$!
}
power_off() { # at once, as when the plug is pulled
    [ -z "$qemu" ] || { kill -9 "$qemu" && wait "$qemu"; } 2> /dev/null || true
    qemu=
}
port() { # which of this machine's leads to ssh in there: QEMU took a free one
    printf 'info usernet\n' | timeout 10 nc -N -U "$work/monitor" | tr -d '\r' |
        sed -n 's/.*HOST_FORWARD\] *[0-9]* *127\.0\.0\.1 *\([0-9]*\) .*/\1/p'
}
monitor() { printf '%s\n' "$@" | timeout 10 nc -N -U "$work/monitor" > /dev/null; }
picture() { # picture FILE.png: what the screen shows
    monitor "screendump $1 -f png"
    sleep 1
}
keys() { # keys KEY...: pressed at the USB keyboard, one after the other
    local key
    for key in "$@"; do monitor "sendkey $key 80"; sleep 0.4; done
}

# until_done SECONDS COMMAND...: within, as long as the machine runs.
until_done() {
    local seconds=$1
    shift
    pause=1 within "$seconds" done_or_off "$@" && kill -0 "$qemu" 2> /dev/null
}
done_or_off() { "$@" || ! kill -0 "$qemu" 2> /dev/null; }
# times TEXT: how many lines say it since the power went on, over all starts.
times() { tr -d '\r' 2> /dev/null < "$work/serial" | grep -a -c "$1"; }
said() { [ "$(times "$1")" -gt 0 ]; }
# ready SECONDS: until the kiosk's first screen stands, as the image's own service says on the serial line.
ready() { until_done "$1" said 'login kiosk: ready'; }

# inside COMMAND...: as root in the machine, by ssh; its disk has to have `authorized_keys`. `limit` says for how many seconds
# at most, where it is more than 120.
inside() {
    timeout $((${limit:-120} * slowness / 10)) ssh -q -F none -i "$work/key" -p "$(port)" -o BatchMode=yes -o StrictHostKeyChecking=no \
        -o UserKnownHostsFile=/dev/null -o ConnectTimeout=20 root@127.0.0.1 "$@"
}
ssh_key() { [ -e "$work/key" ] || ssh-keygen -q -t ed25519 -N '' -f "$work/key"; }
shows() { grep -a -q "$1" <<< "$(inside 'fold -w 80 /dev/vcs1')"; }
