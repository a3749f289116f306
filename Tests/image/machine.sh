# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# A machine with a card in it, emulated by QEMU; sourced by the image's tests after ../devices/common.sh. They set
# `work` (a folder of theirs) and `architecture`.

say() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }
qemu=

# insert IMAGE SIZE: a card of SIZE with the image written to it, in a machine that was never on.
insert() {
    rm -f "$work/card.img" "$work/firmware.img"
    cp --sparse=always "$1" "$work/card.img"
    truncate --size "$2" "$work/card.img"
    case $architecture in
    amd64) cp /usr/share/OVMF/OVMF_VARS_4M.fd "$work/firmware.img" ;;
    arm64) cp /usr/share/AAVMF/AAVMF_VARS.fd "$work/firmware.img" ;;
    esac
}

# boot_file ACTION...: mtools on the card's boot partition, which lies at its first MiB; ::/ is its top.
boot_file() { local tool=$1; shift; MTOOLS_SKIP_CHECK=1 "$tool" -i "$work/card.img@@1M" "$@"; }

# power_on [OPTION...]: its serial line goes to $work/serial, a new one at each time.
power_on() {
    local options
    case $architecture in
    amd64) options="qemu-system-x86_64 -M q35 -cpu max,la57=off -vga std
        -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd" ;;
    arm64) options="qemu-system-aarch64 -M virt -cpu cortex-a72 -device virtio-gpu-pci
        -drive if=pflash,format=raw,readonly=on,file=/usr/share/AAVMF/AAVMF_CODE.fd" ;;
    esac
    rm -f "$work/monitor" "$work/serial"
    # Unquoted on purpose: several words.
    # shellcheck disable=SC2086
    $options -accel tcg,thread=multi -smp 2 -m 1024 -nodefaults -no-user-config -display none \
        -drive "if=pflash,format=raw,file=$work/firmware.img" \
        -drive "if=none,id=card,format=raw,file=$work/card.img" -device virtio-blk-pci,drive=card,bootindex=0 \
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
# ready SECONDS: until the kiosk's first screen stands, as the card's own service says on the serial line.
ready() { until_done "$1" said 'login kiosk: ready'; }

# inside COMMAND...: as root in the machine, by ssh; its card has to have `authorized_keys`. `limit` says for how many seconds
# at most, where it is more than 120.
inside() {
    timeout $((${limit:-120} * slowness / 10)) ssh -q -F none -i "$work/key" -p "$(port)" -o BatchMode=yes -o StrictHostKeyChecking=no \
        -o UserKnownHostsFile=/dev/null -o ConnectTimeout=20 root@127.0.0.1 "$@"
}
allow_ssh() {
    [ -e "$work/key" ] || ssh-keygen -q -t ed25519 -N '' -f "$work/key"
    boot_file mcopy -o "$work/key.pub" ::/login-kiosk/authorized_keys
}
