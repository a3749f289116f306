#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Boots a fresh Debian in an emulated machine and is an operator there: two commands to a kiosk, an update with changed settings, removal,
# purge, each with a browser that is logged in by camera and keyboard.
#
#   machine.sh PACKAGES [DEBIAN [ARCH]]
#
# PACKAGES is what `make deb` made, by default for this machine's Debian: 12 or 13; amd64 or arm64. Needs root. Pictures of the screen
# go to PICTURES, a folder. The machine has no way to Debian's archive: apt has what the packages depend on in its cache.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# -ge 1 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 64; }
packages=$(cd "$1" && pwd)
cache=${LOGIN_KIOSK_PACKAGES:-${XDG_CACHE_HOME:-$HOME/.cache}/login-kiosk/packages}
debian=${2:-$(. /etc/os-release; echo "$VERSION_ID")}
architecture=${3:-$(dpkg --print-architecture)}
work=$(mktemp -d)
folder=${PICTURES:-$work}
mkdir -p "$folder"
# The time of a burst of work on this machine, where the waiting process runs, not in a guest.
usual=2
. "$here/repositories.sh"
. "$here/../devices/common.sh"
. "$here/../machine/machine.sh"
. "$here/../machine/login.sh"
trap 'power_off; rm -rf "$work"' EXIT
explain() { inside 'journalctl --no-pager --quiet --output=cat --unit=login-kiosk --lines=8; tail -n 8 /run/apt'; }

# A Raspberry Pi 5's kernel has pages of 16 KiB. On a processor without these it stops before it says a word.
kernel=linux-image-$architecture
[ "$architecture" != arm64 ] || kernel=linux-image-arm64-16k processor=cortex-a76

# The disk: what an installer leaves, ssh, and a kernel that starts from here.
make_disk() {
    local root=$work/root
    mkdir "$root"
    tar -C "$root" -xf "$(fresh_debian "systemd-sysv,dbus,udev,kmod,iproute2,openssh-server,ca-certificates,\
unattended-upgrades,curl,$kernel" "$suite-$architecture-machine")" || return 1
    repositories "$root/job" || return 1
    compiled "$root" || return 1
    ssh_key
    install -D -m 600 "$work/key.pub" "$root/root/.ssh/authorized_keys"
    cp "$here/kiosk-apt.sh" "$root/usr/local/bin/kiosk-apt"
    echo fresh > "$root/etc/hostname"
    echo '/dev/vda / ext4 noatime 0 1' > "$root/etc/fstab"
    printf '[Match]\nName=e*\n[Network]\nDHCP=yes\n' > "$root/etc/systemd/network/80-dhcp.network"
    systemctl --root="$root" --quiet enable systemd-networkd
    systemctl --root="$root" --quiet mask apt-daily.timer apt-daily-upgrade.timer systemd-networkd-wait-online.service
    sed -i 's/^MODULES=.*/MODULES=list/' "$root/etc/initramfs-tools/initramfs.conf"
    printf 'virtio_pci\nvirtio_blk\next4\n' >> "$root/etc/initramfs-tools/modules"
    cp --remove-destination /etc/resolv.conf "$root/etc/resolv.conf"
    # The archives of what the packages depend on.
    able unshare --mount --propagation private sh -c 'mount -t proc proc "$0/proc"; mount --rbind /dev "$0/dev"
        exec chroot "$0" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -e -c "
            update-initramfs -c -k all
            kiosk-apt repository old online
            kiosk-apt get install --download-only login-kiosk login-kiosk-backend"' "$root" > "$work/log" 2>&1 ||
        { tail -n 20 "$work/log"; return 1; }
    rm -f "$root/etc/resolv.conf" "$root/etc/apt/sources.list.d/login-kiosk.sources" "$root/usr/share/keyrings/login-kiosk.gpg"
    cp "$root"/boot/vmlinuz-* "$work/kernel"
    cp "$root"/boot/initrd.img-* "$work/initrd"
    mke2fs -q -t ext4 -d "$root" "$work/card.img" 4G > /dev/null && rm -rf "$root"
}
enroll() {
    limit=900 check "the user is registered" inside browser enroll
}
apt() { limit=1200 inside "kiosk-apt $*"; }
version() { inside 'dpkg-query --show --showformat="\${Version}" login-kiosk'; }
main() { inside 'systemctl show login-kiosk -P MainPID'; }
runs() { inside 'systemctl is-active login-kiosk'; }
trial() { # what the test needs of settings: it is a trial on one machine, in English
    inside 'printf "network:\n  allow-loopback-http: true\nscreen:\n  language: en\n" > /etc/login-kiosk/config.d/50-trial.yaml
        login-kiosk trust add 127.0.0.1:8480'
}

echo "== a fresh Debian $debian, $architecture"
make_disk || exit 70
power_on
check "it starts" until_done 900 inside 'systemctl is-system-running | grep -e running -e degraded'
inside true || { cat "$work/qemu.log"; verdict; exit 1; }
inside 'uname -r; getconf PAGESIZE; systemd-detect-virt; cat /etc/debian_version' | tr '\n' ' '
echo
echo "== two commands"
check "apt knows the operator's repository" apt repository old
check "the first installs the kiosk" apt get install login-kiosk
check "in the version before" grep -q '^0\.1\.0+' <(version)
check "the second starts it, now and at each boot" inside systemctl enable --now login-kiosk
check "its screen says what is missing" until_done 300 shows "No trusted service configured"
check "no unit has failed" inside '! systemctl --failed --no-legend | grep .'
picture "$folder/fresh-$debian-$architecture.png"
check "the backend is installed, to log in to" apt get install login-kiosk-backend
check "a host is trusted" trial
enroll
log_in

echo "== an update with changed settings"
inside 'echo "log-level: notice" >> /etc/login-kiosk/config.yaml'
before=$(main)
check "apt knows of a newer version" apt repository new
check "the machine updates itself" apt upgrade
check "to that version" test "$(version)" = "$(dpkg-deb --field "$work"/new/login-kiosk_*.deb Version)"
check "changed settings are kept" inside 'grep -q "log-level: notice" /etc/login-kiosk/config.yaml && grep -q "As of version 0.1" /etc/login-kiosk/config.yaml'
check "the trust list is kept" inside 'grep -q 127.0.0.1:8480 /etc/login-kiosk/trusted'
check "another kiosk runs, of the new version" until_done 300 runs
check "which is another process" refused test "$before" = "$(main)"
log_in

echo "== the next boot"
inside sync
power_off
power_on
check "it starts after its plug was pulled" until_done 900 inside true
check "the kiosk runs by itself" until_done 300 runs
inside browser backend
log_in

echo "== removed, and installed again"
check "the kiosk is removed" apt get remove login-kiosk
check "it does not run" inside '! systemctl is-active login-kiosk'
check "programs and unit are gone" inside '! ls /usr/bin/login-kiosk /usr/libexec/login-kiosk/login-kiosk-scanner && ! systemctl cat login-kiosk'
check "settings and identities stay" inside 'ls /etc/login-kiosk/config.d/50-trial.yaml /var/lib/login-kiosk/identities.sqlite'
check "it is installed again" apt get install login-kiosk
check "and started" inside systemctl enable --now login-kiosk
check "it runs" until_done 300 runs
log_in

echo "== purged"
check "all is purged" apt get purge login-kiosk login-kiosk-backend
check "settings, identities and keys are gone" inside '! ls -d /etc/login-kiosk /var/lib/login-kiosk* 2> /dev/null'
check "no unit is left over" inside '! { systemctl --failed --no-legend; systemctl list-unit-files; } | grep login-kiosk'
check "it is installed once more" apt get install login-kiosk login-kiosk-backend
check "and started" inside systemctl enable --now login-kiosk
check "its screen knows nothing of before" until_done 300 shows "No trusted service configured"
check "a host is trusted" trial
enroll
log_in
power_off
verdict
