#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts the image for arm64 on the Raspberry Pis that Debian 13's QEMU has, with their own device trees: a 3B from U-Boot on, and a
# 4B, whose parts that QEMU lacks are switched off in its tree, from the kernel on. As root.
#
#   test.sh PACKAGES FOLDER
#
# PACKAGES has the kiosk's packages for Debian 13 on arm64. FOLDER keeps image, pictures of the screen, and what was said. PARTS in
# the environment names what to run: 3b 4b.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# = 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
architecture=arm64 packages=$1 folder=$2
parts=" ${PARTS:-3b 4b} "
patience=900
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
. "$top/deploy/cross/parts.sh"
work=$(mktemp -d)
usual=2
. "$here/../devices/common.sh"
. "$here/../machine/machine.sh"
trap 'power_off; rm -rf "$work"' EXIT
explain() { tail -n 12 "$work/serial" | tr -d '\r'; }

# Debian 12's QEMU has no 4B.
emulator() { debian trixie amd64 apt qemu-system-arm "$1"; }
set -e
open_cache
part emulator "Debian 13's QEMU, 60 MB to download, 190 MB on disk, some 30 seconds"
close_cache
set +e
. "$here/../image/made.sh"

# power_on MACHINE SERIAL OPTION...: SERIAL is which of its two lines the kernel's messages come from, 0 or 1. Its time is that of
# its instructions, so that nothing in it is late where this machine is busy.
power_on() {
    local lines=(-serial null -serial null)
    lines[$2 * 2 + 1]=file:$work/serial
    rm -f "$work/monitor" "$work/serial"
    began=$SECONDS
    BINDS="$work $folder" enter "$cache/emulator" "exec qemu-system-aarch64 $(printf '%q ' -M "$1" -icount shift=1 \
        -kernel "$work/kernel" -dtb "$work/tree.dtb" -drive "if=sd,format=raw,cache=unsafe,file=$work/card.img" -display none \
        -netdev "user,id=cable,restrict=on,hostfwd=tcp:127.0.0.1:0-:22" "${lines[@]}" \
        -monitor "unix:$work/monitor,server,nowait" "${@:3}")" < /dev/null 2> "$work/qemu.log" &
    qemu=$!
}
# The shell that waits for `enter`, and what it waits for, whose processes go with it.
power_off() {
    [ -z "$qemu" ] || { kill -9 $(ps -o pid= --ppid "$qemu") "$qemu" && wait "$qemu"; } 2> /dev/null || true
    qemu=
}
tree() { boot_file mcopy -o -n "::/$1" "$work/tree.dtb"; }
kiosk() { inside "runuser -u login-kiosk -- login-kiosk $*"; }
# QEMU's watchdog of these boards resets them as soon as it is armed.
unwatched=systemd.watchdog_sec=off
fresh() { # a card with an operator's key, a trusted service, a language, and a camera that costs little
    insert "$image" 2G
    ssh_key
    boot_file mcopy -o "$work/key.pub" ::/login-kiosk/authorized_keys
    printf 'login.example.com\n' > "$work/trusted"
    printf '%s\n' 'source: camera:/dev/video0' 'camera: {format: GREY, size: 320x180, rate: 5}' 'screen: {language: en}' \
        > "$work/50-trial.yaml"
    boot_file mcopy -o "$work/trusted" ::/login-kiosk/trusted
    boot_file mcopy -o "$work/50-trial.yaml" ::/login-kiosk/config.d/50-trial.yaml
    boot_file mcopy -o -n ::/EFI/debian/grub.cfg "$work/grub.cfg"
    # The line that a 3B's tree leaves to Bluetooth would be the console that the image speaks on.
    sed -i -e "s/ login_kiosk.slot=/ $unwatched&/" -e 's/ console=ttyAMA0,115200//' "$work/grub.cfg"
    boot_file mcopy -o "$work/grub.cfg" ::/EFI/debian/grub.cfg
}
differ() { # differ FILE FILE: both are there
    cmp "$1" "$2"
    [ $? = 1 ]
}
# looks BOARD MODEL CHIP: what is the same for both.
looks() {
    local facts=$folder/facts-$1.txt devices=$folder/devices-$1.json doctor=$folder/doctor-$1.txt
    rm -f "$folder"/{scan,key}-"$1".png
    check "it comes to the kiosk's first screen" ready "$patience"
    echo "      after $((SECONDS - began)) s"
    [ "$1" != 3b ] || plug
    check "an operator comes in by ssh over USB" until_done 600 inside true
    # It has no clock with a battery, and no way to one.
    check "it waits for the time" until_done 300 shows "Waiting for the time"
    inside "date --set=@$(date +%s)" > "$work/date"
    check "then it comes to the scan screen, and misses a camera" until_done 300 shows "The camera gives no picture"
    inside 'modprobe vivid n_devs=1 node_types=1 num_inputs=1 input_types=0'
    check "with a camera it waits for a code" until_done 600 shows "Hold the QR code"
    picture "$folder/scan-$1.png"
    keys 2
    check "a key of the number pad changes its language" until_done 300 shows "Anmelde-Code scannen"
    picture "$folder/key-$1.png"
    check "and the screen's picture" differ "$folder/scan-$1.png" "$folder/key-$1.png"
    kiosk devices --json > "$devices"
    kiosk doctor > "$doctor"
    inside 'tr -d "\0" < /proc/device-tree/model; echo; echo "processors $(nproc)"; systemctl is-system-running
        systemctl --failed --no-legend; uname -r; free -m; cat /proc/cmdline; findmnt -n -o SOURCE,FSTYPE /boot/efi
        cat /sys/class/watchdog/watchdog0/identity; cat /proc/fb /sys/class/graphics/fb0/virtual_size; ls /dev/dri
        systemd-analyze; journalctl -b -u login-kiosk --no-pager -o cat; journalctl -b -p err --no-pager -o cat' > "$facts" 2>&1
    check "it is a $2" grep -q "^$2" "$facts"
    check "with four processors" grep -q -x 'processors 4' "$facts"
    check "the firmware's frame buffer is its screen" grep -q '^0 simple' "$facts"
    check "no unit has failed" grep -q -x running "$facts"
    check "the board's GPIO chip is listed" grep -q "\"label\":\"$3\"" "$devices"
    check "so is the number pad" grep -q 'QEMU USB Keyboard' "$devices"
    check "the watchdog is there" grep -q 'Broadcom BCM2835' "$facts"
    check "the doctor knows the board" grep -q "^ok *board *$2" "$doctor"
    check "and finds no failure" refused grep '^failure' "$doctor"
}
# plug: a number pad, which QEMU has as a whole keyboard, and a network card, both by USB. The controller of QEMU does not come back
# from U-Boot's hands with something plugged in.
plug() { monitor "device_add usb-kbd,id=pad" "device_add usb-net,netdev=cable,id=lan"; }

if [[ $parts = *" 3b "* ]]; then
    echo "== Raspberry Pi 3 Model B: U-Boot, grub, the slot on a card"
    MTOOLS_SKIP_CHECK=1 mcopy -o -i "$image@@1M" ::/u-boot.bin "$work/kernel"
    fresh
    tree bcm2837-rpi-3-b.dtb
    power_on raspi3b 1
    check "U-Boot and grub start slot a" until_done "$patience" said 'login kiosk: starting slot a'
    looks 3b "Raspberry Pi 3 Model B" pinctrl-bcm2835
    power_off
fi

if [[ $parts = *" 4b "* ]]; then
    echo "== Raspberry Pi 4 Model B: the slot on a USB disk"
    for file in vmlinuz:kernel initrd.img:initrd; do
        unsquashfs -offset $((65 << 20)) -cat "$image" "boot/${file%:*}" > "$work/${file#*:}"
    done
    fresh
    tree bcm2711-rpi-4-b.dtb
    # Nothing answers there in QEMU: HDMI, its clock, interrupts and lines to a screen, of which the kernel dies, and the driver of all
    # that, which would switch the frame buffer off. The second serial line never gets room for more, and the first is a console
    # instead of Bluetooth's.
    for node in /gpu /soc/{clock@7ef00000,interrupt-controller@7ef00100,hdmi@7ef00700,hdmi@7ef05700,i2c@7ef04500,i2c@7ef09500} \
        /soc/{serial@7e215040,serial@7e201000/bluetooth}; do
        fdtput -t s "$work/tree.dtb" "$node" status disabled
    done
    # The frame buffer of the firmware, which U-Boot would enter, and set so that red and blue are not exchanged.
    screen=/chosen/framebuffer@3c100000
    fdtput -p -t s "$work/tree.dtb" "$screen" compatible simple-framebuffer
    fdtput -t s "$work/tree.dtb" "$screen" format r5g6b5
    fdtput -t x "$work/tree.dtb" "$screen" reg 0 3c100000 96000
    for word in width:640 height:480 stride:1280; do fdtput -t u "$work/tree.dtb" "$screen" "${word%:*}" "${word#*:}"; done
    fdtput -t u "$work/tree.dtb" /chosen '#address-cells' 2
    fdtput -t u "$work/tree.dtb" /chosen '#size-cells' 1
    fdtput "$work/tree.dtb" /chosen ranges
    mv "$work/card.img" "$work/disk.img"
    truncate --size 64M "$work/card.img"
    power_on raspi4b 0 -initrd "$work/initrd" -append "root=PARTLABEL=login-kiosk-a rootfstype=squashfs ro systemd.volatile=overlay \
gpt systemd.gpt_auto=0 fsck.repair=yes rd.shell=0 rd.emergency=reboot panic=10 quiet loglevel=3 console=tty0 console=ttyAMA0,115200 \
$unwatched login_kiosk.slot=a" -drive "if=none,id=disk,format=raw,cache=unsafe,file=$work/disk.img" \
        -device usb-storage,drive=disk -device usb-kbd -device usb-net,netdev=cable
    looks 4b "Raspberry Pi 4 Model B" pinctrl-bcm2711
    power_off
fi
verdict
