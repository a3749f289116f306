#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the virtual machine of the device tests: Debian's kernel, its drivers, a small Debian, and simulated devices.
#
#   build-guest.sh CACHE
#
# CACHE is the folder for what is built (400 MB, twice that meanwhile). A second call with the same scripts does nothing.
# Needs root, amd64, Debian's package archive, and the packages of debian-packages.txt.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 1 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
mkdir -p "$1"
cache=$(cd "$1" && pwd)

# The packages of the guest's Debian besides the smallest system.
packages=kmod,busybox-static,udev,procps,v4l-utils,systemd,plymouth,fontconfig,fonts-open-sans,fonts-dejavu-core,\
espeak-ng
# Loaded before the disk can be read; then what the tests load themselves.
boot="virtio_pci virtio_blk crc32c_generic ext4"
drivers="virtio_console virtio_rng 9p 9pnet_virtio uvcvideo vivid vhci-hcd evdev uinput usbhid hid-generic dummy_hcd
    libcomposite usb_f_hid virtio_gpu bochs snd_hda_intel snd_hda_codec_generic"

stamp=$(cat "$here/build-guest.sh" "$here"/guest/* "$here"/tools/*.c "$here"/kpsim/* | sha256sum | cut -c1-16)
# A security update of the kernel does not by itself mean a new guest.
[ "$(cat "$cache/stamp" 2>/dev/null)" != "$stamp" ] || exit 0

say() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }
work=$cache/work
rm -rf "$work" "$cache/stamp"
mkdir -p "$work/debs" "$work/kernel"
trap 'rm -rf "$work"' EXIT

# The meta package names the kernel of the day, and the headers' package its parts.
depends() { apt-cache depends "$1" | sed -n 's/^ *Depends: *//p'; }
kernel=$(depends linux-image-amd64 | head -n 1)
[ -n "$kernel" ] || { say "Debian's package lists are missing: run apt-get update"; exit 69; }
version=${kernel#linux-image-}
headers="linux-headers-$version $(depends "linux-headers-$version" | grep -E '^linux-(headers-.*-common|kbuild-)' | tr '\n' ' ')"
say "downloading $kernel, its headers and v4l2loopback-dkms"
# Unquoted on purpose: one word a package.
# shellcheck disable=SC2086
(cd "$work/debs" && apt-get -o APT::Sandbox::User=root download --quiet=2 "$kernel" $headers v4l2loopback-dkms)
for deb in "$work"/debs/*.deb; do dpkg-deb --extract "$deb" "$work/kernel"; done
"$here/tools/extract-kernel.py" "$work/kernel/boot/vmlinuz-$version" "$cache/vmlinux"

say "building v4l2loopback, kpsim and the devices' programs"
source=$work/kernel/usr/src
# The headers' makefile names its place in an installed system.
sed -i "s#^include /usr/src/#include $source/#" "$source/linux-headers-$version/Makefile"
mkdir "$work/loopback"
cp "$source"/v4l2loopback-*/*.[ch] "$work/loopback/"
echo 'obj-m := v4l2loopback.o' > "$work/loopback/Kbuild"
mkdir "$work/kpsim"
cp "$here/kpsim/kpsim.c" "$work/kpsim/"
echo 'obj-m := kpsim.o' > "$work/kpsim/Kbuild"
for module in loopback kpsim; do
    make -s -C "$source/linux-headers-$version" M="$work/$module" modules > "$work/log" 2>&1 ||
        { cat "$work/log" >&2; exit 70; }
done
for tool in fakecam fakepad fakekeys faketouch; do gcc -O2 -Wall -static -o "$work/$tool" "$here/tools/$tool.c"; done
gcc -O2 -Wall -static -o "$work/png-to-clip" "$here/tools/png-to-clip.c" -lpng -ljpeg -lz -lm

say "making the guest's Debian"
root=$work/root
mmdebstrap --quiet --variant=minbase --include="$packages" --aptopt='APT::Install-Recommends "false"' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' "$(. /etc/os-release; echo "$VERSION_CODENAME")" "$root" \
    2> "$work/log" || { tail -n 20 "$work/log" >&2; exit 70; }
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
mkdir -p "$root/job"
install -m 755 "$here/guest/job" "$work/fakecam" "$work/fakepad" "$work/fakekeys" "$work/faketouch" \
    "$work/png-to-clip" "$root/usr/local/bin/"
install -D -m 644 "$here/guest/job.service" "$root/etc/systemd/system/job.service"
# Only what a test enables shall run.
ln -sf /lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
for unit in getty@tty1.service serial-getty@ttyS0.service apt-daily.timer apt-daily-upgrade.timer; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
done

tree=$work/kernel/lib/modules/$version
mkdir -p "$tree/updates"
cp "$work/loopback/v4l2loopback.ko" "$work/kpsim/kpsim.ko" "$tree/updates/"
depmod -b "$work/kernel" "$version"
files() {
    for driver in "$@"; do
        modprobe -d "$work/kernel" -S "$version" --show-depends "$driver" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
    done | awk '!seen[$0]++'
}
target=$root/usr/lib/modules/$version
mkdir -p "$target"
cp "$tree"/modules.order "$tree"/modules.builtin* "$target/"
# shellcheck disable=SC2086
files $boot $drivers v4l2loopback kpsim | while read -r file; do
    install -D -m 644 "$file" "$target/${file#"$tree"/}"
    strip --strip-debug "$target/${file#"$tree"/}"
done
depmod -b "$root" "$version"

say "packing"
mkdir -p "$work/initrd/bin" "$work/initrd/modules" "$work/initrd/proc" "$work/initrd/sys" "$work/initrd/dev" "$work/initrd/root"
cp "$(command -v busybox)" "$work/initrd/bin/busybox"
install -m 755 "$here/guest/init" "$work/initrd/init"
# shellcheck disable=SC2086
files $boot | while read -r file; do
    cp "$target/${file#"$tree"/}" "$work/initrd/modules/"
    basename "$file"
done > "$work/initrd/modules/order"
(cd "$work/initrd" && find . | cpio -o -H newc --quiet --owner 0:0) | gzip -1 > "$cache/initrd.gz"
rm -f "$cache/root.img"
mke2fs -q -t ext4 -O ^has_journal -E lazy_itable_init=1 -d "$root" "$cache/root.img" \
    $(($(du -sm "$root" | cut -f1) * 5 / 4 + 512))M > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 70; }
echo "$stamp" > "$cache/stamp"
say "the guest is ready: kernel $version, in $cache"
