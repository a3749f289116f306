#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts Debian 13's arm64 kernel with the image's list of drivers on the Raspberry Pis that Debian 13's QEMU has, with their own
# device trees: a 3B by U-Boot and grub, as the image does, and a 4B from the kernel on, whose parts that QEMU lacks are switched off
# in its tree. Neither the image's slot nor the kiosk is in it. As root.
#
#   test.sh [FOLDER]      FOLDER gets what was said, and a picture of the screen
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# -le 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
. "$top/deploy/cross/parts.sh"
work=$(mktemp -d)
folder=${1:-$work/kept}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
usual=2
. "$here/../devices/common.sh"
qemu=
trap 'off; rm -rf "$work"' EXIT
explain() { tail -n 12 "$work/serial" | tr -d '\r'; }

# Debian 12's QEMU has no 4B.
emulator() { debian trixie amd64 apt qemu-system-arm "$1"; }
system-of-boards() { debian trixie arm64 extract linux-image-arm64,u-boot-rpi,grub-efi-arm64-signed,busybox-static "$1"; }
set -e
open_cache
part emulator "Debian 13's QEMU, 60 MB to download, 190 MB on disk, some 30 seconds"
part system-of-boards "Debian 13's kernel for arm64 with its device trees, U-Boot and grub, 130 MB to download, some 30 seconds"
close_cache
set +e
from=$cache/system-of-boards
version=$(basename "$from"/boot/vmlinuz-* | cut -d- -f2-)
trees=$from/usr/lib/linux-image-$version/broadcom

# The first file system: busybox, and the drivers of the image's list, each after what it needs.
first=$work/first
mkdir -p "$first"/{bin,dev,proc,sys,drivers}
cp "$from/usr/bin/busybox" "$first/bin/"
ln -sfn usr/lib "$from/lib"
depmod --basedir "$from" "$version"
for driver in $(sed -e 's/#.*//' -e 's/ .*//' "$top/deploy/image/drivers.txt") evdev cdc_ether; do
    modprobe --dirname "$from" --set-version "$version" --show-depends "$driver" 2> /dev/null | sed -n 's/^insmod \([^ ]*\).*/\1/p'
done | awk '!seen[$0]++' | while read -r file; do
    cp "$file" "$first/drivers/"
    basename "$file" .xz >> "$first/drivers/order"
done
unxz "$first"/drivers/*.xz
cat > "$first/init" << 'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev
while read -r file; do insmod "/drivers/$file" 2> /dev/null; done < /drivers/order
echo "board: drivers are loaded"
# Until disk, keyboard and network card are there; the test has a limit.
until [ -e /sys/class/input/event0 ] && [ "$(ls /sys/class/net | wc -l)" -gt 1 ] &&
    grep -q -E ' (mmcblk0|sda)$' /proc/partitions; do sleep 0.2; done
echo "board: model $(tr -d '\0' < /proc/device-tree/model), $(nproc) processors"
for chip in /sys/bus/gpio/devices/*; do echo "board: chip $(tr -d '\0' < "$chip/of_node/compatible")"; done
for disk in /sys/block/mmcblk* /sys/block/sd*; do [ ! -e "$disk" ] || echo "board: disk $(basename "$disk")"; done
echo "board: input $(cat /sys/class/input/event0/device/name)"
echo "board: watchdog $(cat /sys/class/watchdog/watchdog0/identity)"
[ ! -e /dev/fb0 ] || echo "board: frame buffer $(cut -d' ' -f2- /proc/fb) $(cat /sys/class/graphics/fb0/virtual_size)"
echo "board: told"
sleep 1000
END
chmod +x "$first/init"
(cd "$first" && find . | cpio --create --format newc --quiet --owner 0:0) | gzip -1 > "$work/first.gz"

# on MACHINE SERIAL OPTION...: SERIAL is which of its two lines the kernel's messages come from, 0 or 1.
on() {
    local lines=(-serial null -serial null)
    lines[$2 * 2 + 1]=file:$work/serial
    rm -f "$work/monitor" "$work/serial"
    began=$SECONDS
    BINDS="$work $folder" enter "$cache/emulator" "exec qemu-system-aarch64 $(printf '%q ' -M "$1" -dtb "$work/tree.dtb" \
        -drive "if=sd,format=raw,cache=unsafe,file=$work/card.img" -display none -netdev user,id=cable,restrict=on "${lines[@]}" \
        -monitor "unix:$work/monitor,server,nowait" "${@:3}")" < /dev/null 2> "$work/qemu.log" &
    qemu=$!
}
# The shell that waits for `enter`, and what it waits for, whose processes go with it.
off() {
    [ -z "$qemu" ] || { kill -9 $(ps -o pid= --ppid "$qemu") "$qemu" && wait "$qemu"; } 2> /dev/null || true
    qemu=
}
monitor() { printf '%s\n' "$@" | timeout 10 nc -N -U "$work/monitor" > /dev/null; }
says() { tr -d '\r' < "$work/serial" | grep -a -q "$1"; }
# looks NAME MODEL: what is the same for both
looks() {
    check "it tells what it found" within 300 says "board: told"
    echo "      after $((SECONDS - began)) s"
    tr -d '\r' < "$work/serial" > "$folder/$1.txt"
    check "it is a $2 with four processors" says "board: model $2.*, 4 processors"
    check "the GPIO chip of the header is there" says "board: chip brcm,bcm2\(835\|711\)-gpio"
    check "a number pad at USB is there" says "board: input QEMU QEMU USB Keyboard"
    check "the watchdog is there" says "board: watchdog Broadcom BCM2835"
}
command="rdinit=/init panic=-1 loglevel=4"

echo "== Raspberry Pi 3 Model B: U-Boot, grub, kernel"
cp "$trees/bcm2837-rpi-3-b.dtb" "$work/tree.dtb"
mkfs.vfat -F 32 -C "$work/boot.img" $((96 << 10)) > /dev/null
mmd -i "$work/boot.img" ::/EFI ::/EFI/BOOT ::/EFI/debian
mcopy -i "$work/boot.img" "$from/usr/lib/grub/arm64-efi-signed/grubaa64.efi.signed" ::/EFI/BOOT/BOOTAA64.EFI
mcopy -i "$work/boot.img" "$from/boot/vmlinuz-$version" ::/vmlinuz
mcopy -i "$work/boot.img" "$work/first.gz" ::/first.gz
printf 'echo "board: grub runs"\nlinux /vmlinuz console=tty0 console=ttyS1,115200 %s\ninitrd /first.gz\nboot\n' "$command" > "$work/grub.cfg"
mcopy -i "$work/boot.img" "$work/grub.cfg" ::/EFI/debian/grub.cfg
truncate --size 128M "$work/card.img"
printf 'label: gpt\nstart=2048, size=96M, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B\n' | sfdisk --quiet "$work/card.img"
dd if="$work/boot.img" of="$work/card.img" bs=1M seek=1 conv=notrunc,sparse status=none
on raspi3b 1 -kernel "$from/usr/lib/u-boot/rpi_arm64/u-boot.bin"
check "U-Boot starts grub" within 300 says "board: grub runs"
check "and grub the kernel" within 300 says "board: drivers are loaded"
# The USB controller of QEMU does not come back from U-Boot's hands with something plugged in.
monitor "device_add usb-kbd" "device_add usb-net,netdev=cable"
looks 3b "Raspberry Pi 3 Model B"
check "the card is there" says "board: disk mmcblk0"
check "the firmware's frame buffer is the console" says "board: frame buffer simple"
monitor "screendump $folder/3b.png -f png"
off

echo "== Raspberry Pi 4 Model B: kernel, a disk at USB"
cp "$trees/bcm2711-rpi-4-b.dtb" "$work/tree.dtb"
# Nothing answers there in QEMU, and the kernel dies of it: HDMI, its clock, interrupts and lines to a screen. The second serial
# line never gets room for more, and the first is a console instead of Bluetooth's.
for node in clock@7ef00000 interrupt-controller@7ef00100 hdmi@7ef00700 hdmi@7ef05700 i2c@7ef04500 i2c@7ef09500 \
    serial@7e215040 serial@7e201000/bluetooth; do
    fdtput -t s "$work/tree.dtb" "/soc/$node" status disabled
done
mv "$work/card.img" "$work/disk.img"
truncate --size 64M "$work/card.img"
on raspi4b 0 -kernel "$from/boot/vmlinuz-$version" -initrd "$work/first.gz" -append "console=ttyAMA0,115200 $command" \
    -drive "if=none,id=disk,format=raw,cache=unsafe,file=$work/disk.img" -device usb-storage,drive=disk -device usb-kbd \
    -device usb-net,netdev=cable
looks 4b "Raspberry Pi 4 Model B"
check "the disk at USB is there" says "board: disk sda"
off
verdict
