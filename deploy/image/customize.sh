#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes of a fresh Debian the kiosk's: our files, what starts, the first file system. build.sh has mmdebstrap run it.
#
#   customize.sh FOLDER LOADERS VERSION PUBLIC-KEY
#
# PUBLIC-KEY is that of updates, or empty.
# LOADERS has the packages of loaders.txt, and gets the folder `device-trees`: those that a Raspberry Pi's firmware reads.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$1 loaders=$2 version=$3 key=$4

# With modes and times that are not those of a checkout.
tar --create --directory "$here/files" --sort=name --owner=0 --group=0 --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" . |
    tar --extract --directory "$root" --preserve-permissions --keep-directory-symlink
install -d "$root/state" "$root/boot/efi" "$root/usr/lib/login-kiosk"
printf 'VERSION=%s\nDATE=%s\n' "$version" "${version##*+}" > "$root/usr/lib/login-kiosk/image"
[ -z "$key" ] || install -m 644 "$key" "$root/usr/lib/login-kiosk/update.pem"

dpkg-deb --fsys-tarfile "$loaders"/console-setup-linux_*.deb | tar --extract --directory "$root" --no-same-owner \
    ./usr/share/consolefonts/Uni2-Terminus16.psf.gz

# One name for each, for whatever version of the kernel.
kernel=$(basename "$root"/usr/lib/modules/*)
mv "$root/boot/vmlinuz-$kernel" "$root/boot/vmlinuz"
rm -f "$root"/boot/System.map-* "$root"/boot/config-* "$root"/boot/initrd.img-* "$root"/vmlinuz* "$root"/initrd.img*
# Those of all other machines would be 50 MB that nothing reads.
mkdir "$loaders/device-trees"
for tree in "$root"/usr/lib/linux-image-*/broadcom/bcm2[78]*-rpi-*.dtb; do
    [ ! -e "$tree" ] || cp "$tree" "$loaders/device-trees/"
done
rm -rf "$root"/usr/lib/linux-image-*
drivers=$(sed 's/#.*//' "$here/drivers.txt" | while read -r driver first; do
    if modinfo --basedir "$root" --set-version "$kernel" "$driver" > /dev/null 2>&1; then echo "$driver $first"; fi
done)
sed -i -e "s/@DRIVERS@/$(echo "$drivers" | sed -n 's/ $//p' | tr '\n' ' ')/" \
    -e "s/@WATCHDOGS@/$(echo "$drivers" | sed -n 's/ first$//p' | tr '\n' ' ')/" "$root/etc/dracut.conf.d/image.conf"
chroot "$root" dracut --quiet --force --reproducible --no-hostonly --kver "$kernel" /boot/initrd.img
chmod 644 "$root/boot/initrd.img"

# The machine's ID and host keys are made on the machine: until then there are none, and a start is never taken for the first.
: > "$root/etc/machine-id"
rm -f "$root"/etc/ssh/ssh_host_* "$root/var/lib/dbus/machine-id" "$root/var/lib/systemd/random-seed"
echo login-kiosk > "$root/etc/hostname"
printf '127.0.0.1 localhost login-kiosk\n::1 localhost\n' > "$root/etc/hosts"
ln -sf ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
# Nobody logs in by a password, and the screen is the kiosk's.
chroot "$root" passwd --quiet --lock root
systemctl --root="$root" --quiet set-default multi-user.target
systemctl --root="$root" --quiet mask getty@.service serial-getty@.service autovt@.service getty-static.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer \
    systemd-firstboot.service systemd-update-done.service systemd-networkd-wait-online.service wpa_supplicant.service \
    ssh.socket
systemctl --root="$root" --quiet enable systemd-networkd systemd-resolved systemd-timesyncd ssh \
    login-kiosk-image-settings login-kiosk-image-machine login-kiosk-image-ready login-kiosk-image-trial.timer \
    login-kiosk-image-update.timer
# It would offer ssh to a virtual machine's host, past the key file.
mkdir -p "$root/etc/systemd/system-generators"
ln -sf /dev/null "$root/etc/systemd/system-generators/systemd-ssh-generator"
[ ! -e "$root/usr/lib/systemd/system/login-kiosk.service" ] || systemctl --root="$root" --quiet enable login-kiosk
# The index of fonts stays: who draws the screen may not write one.
find "$root/var/cache" -mindepth 1 -maxdepth 1 ! -name fontconfig -exec rm -rf {} +
# Which mirror it was, is not of the image.
rm -rf "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/*
rm -rf "$root"/var/log/* "$root"/var/lib/apt/lists/* "$root"/var/tmp/* "$root"/tmp/* "$root/usr/share/bug"
mkdir -p "$root/var/log/journal"
# Marks systemd's work at the first start of a new /usr as done, or it would be done at each start.
touch "$root/etc/.updated" "$root/var/.updated"
