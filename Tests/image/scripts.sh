#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs what the image has of its own in shell, update and settings, without the image and without QEMU: in a copy of this
# machine's root that is thrown away, with slots in loop devices. As root.
#
#   scripts.sh
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# = 0 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 64; }
[ "$(id -u)" = 0 ] || { echo "image: an own root needs root" >&2; exit 77; }
# Mounts, loop devices and the name are gone with the process.
[ "${SCRIPTS_APART:-}" = yes ] || SCRIPTS_APART=yes exec unshare --mount --uts --propagation private "${BASH_SOURCE[0]}"
. "$here/../devices/common.sh"
work=$(mktemp -d)
mount -t tmpfs -o size=192M tmpfs "$work"
mkdir "$work/upper" "$work/under" "$work/root"
loops=
tidy() {
    for loop in $loops; do losetup --detach "$loop"; done
    umount --recursive "$work" 2> /dev/null
    rmdir "$work"
}
trap tidy EXIT
explain() { tail -n 5 "$work/said"; }

root=$work/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/under" "$root"
cp -a "$top/deploy/image/files/." "$root/"
mkdir -p "$root/state" "$root/boot/efi" "$root/root" "$root/mnt" "$root/etc/login-kiosk"
mount -t proc proc "$root/proc"
mount -t tmpfs dev "$root/dev"
cp -a /dev/null /dev/zero /dev/urandom "$root/dev/"
mkdir -p "$root/dev/disk/by-partlabel"
for folder in run state boot/efi mnt var/lib; do mount -t tmpfs -o size=32M tmpfs "$root/$folder"; done
mkdir -p "$root/boot/efi/EFI/debian" "$root/boot/efi/login-kiosk/"{network,config.d} "$root/var/lib/login-kiosk-key"
echo "login_kiosk.slot=a" > "$work/cmdline"
mount --bind "$work/cmdline" "$root/proc/cmdline"
# A service manager that says what it is asked for.
mkdir "$root/run/asked"
printf '#!/bin/sh\necho "$*" >> /run/asked/systemctl\n' > "$root/run/asked/systemctl.new"
chmod 755 "$root/run/asked/systemctl.new"
mount --bind "$root/run/asked/systemctl.new" "$root/usr/bin/systemctl"
for slot in a b; do
    truncate --size 8M "$work/slot-$slot"
    loop=$(losetup --find --show "$work/slot-$slot")
    loops="$loops $loop"
    cp -a "$loop" "$root/dev/disk/by-partlabel/login-kiosk-$slot"
done
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
asked() { cat "$root/run/asked/systemctl" 2> /dev/null; }
state_of() { sha256sum "$work/slot-$1" "$root/boot/efi/EFI/debian/slots"; }

echo "== updates"
openssl genpkey -algorithm ed25519 -out "$work/key.pem"
openssl genpkey -algorithm ed25519 -out "$work/other.pem"
openssl pkey -in "$work/key.pem" -pubout -out "$root/usr/lib/login-kiosk/update.pem"
printf 'VERSION=1.0+202601010000\nDATE=202601010000\n' > "$root/usr/lib/login-kiosk/image"
{ printf '# GRUB Environment Block\ngood=a\ntry=\ntries=\nmachine=m\n'; head -c 1024 /dev/zero | tr '\0' '#'; } |
    head -c 1024 > "$root/boot/efi/EFI/debian/slots"
head -c 999424 /dev/urandom > "$work/good"
head -c 8388608 /dev/urandom > "$work/slot-b"
case $(uname -m) in x86_64) architecture=amd64 ;; *) architecture=arm64 ;; esac
# offer VERSION DATE [KEY]: an update in /mnt
offer() {
    rm -rf "$root/mnt"/*
    "$top/deploy/image/update.sh" "$work/good" "$1" "$architecture" "$work/${3:-key}.pem" "$root/mnt" "$2"
}
file() { echo "$root"/mnt/*.squashfs; }
take() { inside login-kiosk-update "$@" /mnt > "$work/said" 2>&1; }
# refuses WORDS [OPTION...]: the update is refused in these words, and slots and boot loader are as they were
refuses() {
    local words=$1 before
    shift
    before=$(state_of b)
    ! take "$@" && grep -q "$words" "$work/said" && [ "$before" = "$(state_of b)" ] && [ ! -e "$root/state/update" ]
}

offer 2.0 202602010000 other
check "an update that somebody else signed is refused" refuses 'is not signed by the key'
offer 2.0 202602010000
printf X | dd of="$(file)" bs=1 seek=500000 conv=notrunc status=none
check "one with another byte is refused before it is written" refuses 'is not what was signed'
offer 2.0 202602010000
truncate --size 999000 "$(file)"
check "one that is cut off is refused before it is written" refuses 'is not what was signed'
offer 2.0 202602010000
rm "$(file)"
check "one without its file is refused before it is written" refuses 'is not what was signed'
sed -i 's/^version=.*/version=3.0/' "$root/mnt/update-$architecture"
check "one whose words were changed is refused" refuses 'is not signed by the key'
offer 2.0 202512310000
check "one of before this image is refused" refuses 'is of 202512310000, and one of 202602010000 is known'
offer 2.0 299901010000
check "one of a day to come is refused" refuses 'which is yet to come'
offer 2.0 ''
sed -i '/^date=/d' "$root/mnt/update-$architecture"
openssl pkeyutl -sign -inkey "$work/key.pem" -rawin -in "$root/mnt/update-$architecture" -out "$root/mnt/update-$architecture.sig"
check "one without a date is refused" refuses 'says no date'
mount -t tmpfs -o size=8M tmpfs "$root/state"
offer 2.0 202602010000
check "one that has no room while it is checked is refused" refuses 'has room for'
umount "$root/state"
mount -t tmpfs -o size=24M,ro tmpfs "$root/mnt"
mount -o remount,rw "$root/mnt"
offer 2.0 202602020000
head -c 9000000 /dev/zero > "$work/large"
"$top/deploy/image/update.sh" "$work/large" 2.1 "$architecture" "$work/key.pem" "$root/mnt" 202602020000
check "one that is larger than a slot is refused" refuses 'and a slot 8388608'
umount "$root/mnt"

check "no start was asked for" test -z "$(asked)"
offer 2.0 202602030000
check "a good one is taken" take
check "it is written" cmp -n 999424 "$work/good" "$work/slot-b"
check "and tried at the next start" grep -q '^try=b$' "$root/boot/efi/EFI/debian/slots"
check "which is asked for" test "$(asked)" = reboot
check "nothing of it is left on the state" test ! -e "$root/state/update"
# The machine has not restarted yet, or has gone back to the slot before.
offer 1.9 202601150000
check "an earlier one is refused then, though it is newer than what runs" refuses 'is of 202601150000, and one of 202602030000 is known'
head -c 999424 /dev/urandom > "$work/good"
offer 0.9 202512310000
check "an older version is nothing to do" eval 'take && grep -q "nothing to do" "$work/said"'
check "unless the operator says so" take --older
check "then it is written" cmp -n 999424 "$work/good" "$work/slot-b"
check "the date that is known stays" test "$(cat "$root/state/update-date")" = 202602030000
echo garbage > "$root/state/update-date"
offer 2.0 202512310000
check "a damaged note of it counts as none" refuses 'and one of 202601010000 is known'
check "an unknown option is told what there is" eval '! take --newer && grep -q "login-kiosk-update \[--older\]" "$work/said"'

echo "== what lies on the boot partition"
boot=$root/boot/efi/login-kiosk
start() { # start: as the machine starts, with nothing in memory
    umount "$root/run"
    mount -t tmpfs tmpfs "$root/run"
    mkdir "$root/run/asked"
    rm -rf "$root/root/.ssh" "$root"/etc/wpa_supplicant/wpa_supplicant-*
    inside /usr/libexec/login-kiosk-image/settings > "$work/said" 2>&1
}
lay() { # lay NAME: files that say whose they are
    printf 'screen: {language: %s}\r\n' "$1" > "$boot/config.d/50.yaml"
    echo "ssid=$1" > "$boot/network/wpa_supplicant-wlan0.conf"
    echo "Name=$1" > "$boot/network/10.network"
    echo "ssh-ed25519 $1" > "$boot/authorized_keys"
    echo "$1.example.com" > "$boot/trusted"
    echo "https://$1.example.com" > "$boot/update-url"
    echo "LOGIN-KIOSK-PROFILE:$1" > "$boot/login-kiosk.profile"
}
counts() { # counts NAME: what lies there counts
    grep -q "language: $1}$" "$root/run/login-kiosk/config.d/50.yaml" &&
        grep -q "=$1$" "$root/etc/wpa_supplicant/wpa_supplicant-wlan0.conf" &&
        grep -q "=$1$" "$root/run/systemd/network/10.network" && grep -q " $1$" "$root/root/.ssh/authorized_keys" &&
        grep -q "^$1\." "$root/etc/login-kiosk/trusted" && grep -q "/$1\." "$root/etc/login-kiosk/update-url"
}
mode() { stat -c %a "$root/$1"; }
# As the image has it.
mount -t tmpfs tmpfs "$root/root"
mount -t tmpfs tmpfs "$root/etc/login-kiosk"
operator() { mkdir -p "$root/var/lib/login-kiosk-key/profile/1" && ln -sfn 1 "$root/var/lib/login-kiosk-key/profile/current"; }

mkdir -p "$root/state/update"
lay first
start
check "without an operator all of it counts" counts first
check "others may read what the kiosk and the network have to" test "$(mode run/login-kiosk/config.d/50.yaml) $(mode run/systemd/network)" = "644 755"
check "and nobody what is secret" test "$(mode etc/wpa_supplicant/wpa_supplicant-wlan0.conf) $(mode state/boot)" = "600 700"
check "what an update left when the power went is gone" test ! -e "$root/state/update"
lay second
rm "$boot/network/10.network"
start
check "and what is laid there later" grep -q second "$root/run/login-kiosk/config.d/50.yaml"
check "and what is taken away is gone" test ! -e "$root/run/systemd/network/10.network"
lay third
start
operator
lay stranger
echo 'trust: all' > "$boot/config.d/99-stranger.yaml"
start
check "with an operator those count that did at the last start before" counts third
check "none is added" test ! -e "$root/run/login-kiosk/config.d/99-stranger.yaml"
check "which is said" grep -q 'are ignored: this kiosk has an operator' "$work/said"
check "a profile is still taken, for it is signed" grep -q stranger "$root/run/login-kiosk/login-kiosk.profile"
rm -r "$boot"
start
check "they count without the boot partition, too" counts third
mkdir -p "$boot/network" "$boot/config.d"
rm -r "$root/var/lib/login-kiosk-key/profile/1"
lay stranger
start
check "a profile that is gone does not open the way" counts third
rm "$root/var/lib/login-kiosk-key/profile/current"
lay next
start
check "after a reset the next operator's count" counts next
operator
rm -r "$root/state/boot"
lay taken
start
check "where none were kept, those that lie there count once" counts taken
lay stranger
start
check "and not twice" counts taken
mkdir "$root/etc/login-kiosk/network"
echo "ssid=joined" > "$root/etc/login-kiosk/network/wpa_supplicant-wlan0.conf"
start
check "the network that root joined by login-kiosk setup wins" grep -qx ssid=joined "$root/etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
check "and nobody else reads it" test "$(mode etc/wpa_supplicant/wpa_supplicant-wlan0.conf)" = 600
check "its program is started once" test "$(asked | grep -c 'start wpa_supplicant@wlan0')" = 1

echo "== the guided first start"
unit=$top/deploy/image/files/usr/lib/systemd/system/login-kiosk-image-first.service
list=$root/run/list
printf '#!/bin/sh\ncat /run/list\n' > "$root/usr/bin/login-kiosk"
chmod 755 "$root/usr/bin/login-kiosk"
begins() { # begins: what the unit asks for is so
    grep '^Condition' "$unit" | tr '\n' '\0' | inside xargs -0 systemd-analyze condition > "$work/said" 2>&1 &&
        sed -n "s/^ExecCondition=.*-c '\(.*\)'$/\1/p" "$unit" | while read -r command; do
            inside sh -c "$command" < /dev/null || exit 1
        done
}
rm -rf "$root/etc/login-kiosk/trusted" "$root/var/lib/login-kiosk-key/profile"
echo 'nothing is trusted yet; add a host: login-kiosk trust add HOST' > "$list"
panel=$root/sys/class/drm/card0-HDMI-A-1
mkdir -p "$panel"
echo disconnected > "$panel/status"
check "without a panel nobody could answer" refused begins
echo connected > "$panel/status"
check "a kiosk that trusts nothing begins with it" begins
check "as soon as a touch panel is there" grep -q 'ID_INPUT_TOUCHSCREEN}=="1".*login-kiosk-image-first.service' \
    "$root/usr/lib/udev/rules.d/90-login-kiosk-image.rules"
: > "$root/etc/login-kiosk/trusted"
check "one with a trust list does not" refused begins
rm "$root/etc/login-kiosk/trusted"
echo elsewhere.example.com > "$list"
check "nor where a setting has the list elsewhere" refused begins
: > "$list"
check "nor where no list can be read" refused begins
echo 'nothing is trusted yet; add a host: login-kiosk trust add HOST' > "$list"
printf 'nothing is trusted yet\nscreen.display    none\n' > "$list"
check "nor where the settings want no panel" refused begins
echo 'nothing is trusted yet; add a host: login-kiosk trust add HOST' > "$list"
operator
check "nor one with an operator" refused begins
check "it takes no terminal from the kiosk" refused grep -q '^TTY\|=tty' "$unit"
check "and what it begins stops the kiosk, and starts it again" test "$(grep -c '=login-kiosk.service$' "${unit%first.service}setup.service")" = 4
verdict
