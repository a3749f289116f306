#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a disk image of Debian 13 with the kiosk: for memory cards of a Raspberry Pi (arm64), for mini PCs and virtual
# machines with UEFI (amd64). As root.
#
#   build.sh ARCHITECTURE PACKAGES FOLDER
#
# PACKAGES is a folder with the kiosk's package for Debian 13 (make deb). FOLDER gets login-kiosk-VERSION-ARCHITECTURE.img.zst
# with its sum, and beside it what Raspberry Pi Imager reads (manifest.py): people load the image from the folder IMAGE_URL, else
# it is written from here. Below `update` is what running kiosks update themselves with, if UPDATE_KEY names a private key
# (update.sh): the image then believes that key. A public key makes the same image, and no update. MIRROR is Debian's archive,
# SECURITY_MIRROR that of its security updates, else this machine's apt says them (deploy/mirror.sh). Some 250 MB are downloaded,
# and 2 GB of room are needed meanwhile.
#
# SOURCE_DATE_EPOCH is the time of the version and of everything in the image, else now. The same commit, packages, time, key and
# state of the archive make the same bytes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 3 ] || { sed -n '3,17s/^# \{0,1\}//p' "$0" >&2; exit 64; }
architecture=$1 packages=$2 folder=$3
refuse() { # refuse CODE MESSAGE HINT
    echo "image: $2" >&2
    echo "hint: $3" >&2
    exit "$1"
}
say() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }

# Sizes in MiB. A slot has room for what Debian adds in years; the boot partition's size never changes on a card.
boot=64 slot=256 state=32
case $architecture in
amd64) consoles="console=tty0 console=ttyS0,115200" ;;
arm64) consoles="console=tty0 console=ttyS1,115200 console=ttyAMA0,115200" ;;
*) refuse 64 "no image is known for the architecture $architecture" "ARCH=arm64 or ARCH=amd64" ;;
esac
case ${IMAGE_URL:-https://} in
https://* | http://*) ;;
*) refuse 64 "$IMAGE_URL is not the address of a folder" "IMAGE_URL=https://downloads.example.com/kiosk" ;;
esac
for tool in mmdebstrap mksquashfs mkfs.vfat mcopy sfdisk mke2fs debugfs modinfo openssl python3 zstd; do
    command -v $tool > /dev/null || refuse 69 "$tool is missing" "apt-get install $(tr '\n' ' ' < "$here/debian-packages.txt")"
done
[ "$(id -u)" = 0 ] || refuse 77 "making a Debian needs root" "sudo make image"
package() { ls "$packages/$1"_*+deb13_"$architecture".deb 2> /dev/null | sort -V | tail -n 1; }
kiosk=$(package login-kiosk) display=$(package login-kiosk-display)
[ -n "$kiosk" ] && [ -n "$display" ] || refuse 66 "$packages lacks a package of the kiosk for Debian 13 on $architecture" \
    "make deb DEBIAN=13 ARCH=$architecture (docs/packages.md)"
# In whole minutes, as the version has them.
SOURCE_DATE_EPOCH=$((${SOURCE_DATE_EPOCH:-$(date +%s)} / 60 * 60))
export SOURCE_DATE_EPOCH E2FSPROGS_FAKE_TIME=$SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022
# The same program in two images is another version when Debian's packages are newer.
date=$(date -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M)
version=$(dpkg-deb --field "$kiosk" Version | cut -d + -f 1)+$date
uuid() { # uuid PART: a UUID, the same for the same version
    python3 -B -c 'import sys, uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, sys.argv[1]))' "login-kiosk-$version-$architecture-$1"
}
mirror=${MIRROR:-$("$here/../mirror.sh" archive)}
security=${SECURITY_MIRROR:-$("$here/../mirror.sh" security)}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d -p "$folder" .work.XXXXXX)
# A Debian that is cut off while it is made may leave something of this machine mounted in there.
trap 'rm -rf --one-file-system "$work"' EXIT
public='' signs=''
if [ -n "${UPDATE_KEY:-}" ]; then
    public=$work/update.pem
    if openssl pkey -in "$UPDATE_KEY" -pubout -out "$public" 2> /dev/null; then
        signs=yes
    else
        openssl pkey -pubin -in "$UPDATE_KEY" -pubout -out "$public" 2> /dev/null ||
            refuse 65 "$UPDATE_KEY is no key" "openssl genpkey -algorithm ed25519 -out update.key"
    fi
fi

list() { sed -e 's/#.*//' -e "s/ *\[$architecture\] *$//" -e '/\[/d' -e '/^ *$/d' "$@"; }
loaders=$(list "$here/loaders.txt" | tr '\n' ' ')
components=main
firmware=$(list "$here/firmware.txt" | tr '\n' ' ')
if [ -n "$firmware" ]; then
    say "from outside of Debian's main section: $firmware"
    components="main non-free-firmware"
    case " $firmware " in *" raspi-firmware "*) loaders="$loaders raspi-firmware" firmware=${firmware/raspi-firmware/} ;; esac
fi

say "making Debian 13 for $architecture"
mkdir "$work/loaders" "$work/deb"
cp "$kiosk" "$display" "$work/deb/"
include=$(list "$here/packages.txt"; echo "$firmware" | tr ' ' '\n' | grep . || true)
# The first file system is made once, at the end (customize.sh): emulated it takes minutes.
INITRD=No "$here/../cross/foreign.sh" "$architecture" mmdebstrap --mode=root --variant=essential --architectures="$architecture" \
    --include="$(echo $include | tr ' ' ,),$work/deb/$(basename "$kiosk"),$work/deb/$(basename "$display")" \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' \
    --aptopt='APT::Sandbox::User "root"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-include=/usr/share/doc/login-kiosk*/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/info/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount \
    --customize-hook="cd '$work/loaders' && APT_CONFIG=\"\$MMDEBSTRAP_APT_CONFIG\" apt-get download --quiet=2 $loaders" \
    --customize-hook="'$here/customize.sh' \"\$1\" '$work/loaders' '$version' '$public'" \
    trixie "$work/root" "deb $mirror trixie $components" "deb $mirror trixie-updates $components" \
    "deb $security trixie-security $components" > "$folder/$architecture.log" 2>&1 || {
    tail -n 20 "$folder/$architecture.log" >&2
    refuse 70 "Debian was not made" "$folder/$architecture.log tells all of it"
}

# The hook leaves the place where it showed the packages: empty files, and the folders above. Debian's own folders stay.
rm -rf --one-file-system "$work/root$work"
emptied=$folder
until [[ $emptied =~ ^/(home|media|mnt|opt|root|run|srv|tmp|usr.*|var|var/(cache|lib|local|opt|tmp))?$ ]]; do
    rmdir "$work/root$emptied" 2> /dev/null || break
    emptied=$(dirname "$emptied")
done

say "packing the root"
"$here/pack.sh" "$work/root" "$work/root.squashfs" || refuse 70 "the root was not packed" "what mksquashfs says is above"
[ "$(stat -c %s "$work/root.squashfs")" -le $((slot << 20)) ] || refuse 70 "the root does not fit into a slot" "leave packages out"

say "filling the boot partition"
for deb in "$work"/loaders/*.deb; do dpkg-deb --extract "$deb" "$work/loaders/x"; done
esp=$work/esp
mkdir -p "$esp/EFI/BOOT" "$esp/EFI/debian" "$esp/login-kiosk/config.d" "$esp/login-kiosk/network"
found=$work/loaders/x/usr/lib
case $architecture in
amd64)
    cp "$found/shim/shimx64.efi.signed" "$esp/EFI/BOOT/BOOTX64.EFI"
    cp "$found/grub/x86_64-efi-signed/grubx64.efi.signed" "$esp/EFI/BOOT/grubx64.efi"
    ;;
arm64)
    cp "$found/grub/arm64-efi-signed/grubaa64.efi.signed" "$esp/EFI/BOOT/BOOTAA64.EFI"
    # The Raspberry Pi's own firmware starts U-Boot, which brings UEFI.
    cp "$found/u-boot/rpi_arm64/u-boot.bin" "$esp/u-boot.bin"
    cp "$found"/raspi-firmware/{bootcode.bin,start.elf,start4.elf,fixup.dat,fixup4.dat} "$esp/"
    cp "$work"/loaders/device-trees/*.dtb "$here/config.txt" "$esp/"
    mkdir "$esp/overlays"
    cp "$work"/root/usr/share/login-kiosk/overlays/*.dtbo "$esp/overlays/"
    ;;
esac
sed "s|@CONSOLES@|$consoles|" "$here/grub.cfg" > "$esp/EFI/debian/grub.cfg"
{ printf '# GRUB Environment Block\ngood=a\ntry=\ntries=\nmachine=\n'; head -c 1024 /dev/zero | tr '\0' '#'; } |
    head -c 1024 > "$esp/EFI/debian/slots"
cp "$here/README.boot.txt" "$esp/login-kiosk/README.txt"
mkfs.vfat -F 32 -n KIOSK-BOOT --invariant -i "$(uuid boot | cut -c 1-8)" -C "$work/boot.img" $((boot << 10)) > /dev/null
# Sorted: the order of a folder differs between file systems.
(
    cd "$esp"
    find . -mindepth 1 -type d | sort | sed 's/^\./::/' | xargs mmd -i "$work/boot.img"
    find . -type f | sort | while read -r file; do mcopy -i "$work/boot.img" "$file" "::${file#.}"; done
)

# With what it holds from the beginning: a start finds each folder, whatever happened before. debugfs makes them, as mke2fs would
# give its copies of folders the time of the copying.
mke2fs -q -t ext4 -L login-kiosk -U "$(uuid state)" -E "hash_seed=$(uuid hashes),root_owner=0:0,resize=$((64 << 18))" \
    "$work/state.img" ${state}M
{
    printf 'mkdir /%s\n' systemd journal settings .settings identities key ssh
    printf 'set_inode_field /%s mode 040700\n' identities key ssh
} | debugfs -w -f - "$work/state.img" > "$work/folders" 2>&1
debugfs -R 'stat /ssh' "$work/state.img" 2> /dev/null | grep -q 'Type: directory *Mode: *0700' ||
    refuse 70 "the state partition was not filled" "$(tail -n 1 "$work/folders")"

say "joining the partitions"
name=login-kiosk-$version-$architecture
image=$work/$name.img
root_type=$([ "$architecture" = arm64 ] && echo B921B045-1DF0-41C3-AF44-4C6F280D3FAE || echo 4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709)
truncate --size $((boot + 2 * slot + state + 2))M "$image"
sfdisk --quiet "$image" << END
label: gpt
label-id: $(uuid disk)
first-lba: 2048
start=2048, size=${boot}M, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B, uuid=$(uuid partition-boot), name=login-kiosk-boot
size=${slot}M, type=$root_type, uuid=$(uuid partition-a), name=login-kiosk-a
size=${slot}M, type=$root_type, uuid=$(uuid partition-b), name=login-kiosk-b
size=${state}M, type=0FC63DAF-8483-4772-8E79-3D69D8477DE4, uuid=$(uuid partition-state), name=login-kiosk-state
END
put() { dd if="$1" of="$image" bs=1M seek="$2" conv=notrunc,sparse status=none; }
put "$work/boot.img" 1
put "$work/root.squashfs" $((1 + boot))
put "$work/state.img" $((1 + boot + 2 * slot))
[ "$architecture" != arm64 ] || "$here/hybrid.sh" "$image" $((boot << 11))

if [ -n "$signs" ]; then
    "$here/update.sh" "$work/root.squashfs" "$version" "$architecture" "$UPDATE_KEY" "$folder/update" "$date"
fi
say "compressing"
zstd --quiet --threads=0 -6 "$image" -o "$work/$name.img.zst"
size=$(stat -c %s "$work/root.squashfs")
(cd "$work" && sha256sum "$name.img.zst" > "$name.img.zst.sha256")
mv "$image" "$work/$name".img.zst* "$folder/"
python3 -B "$here/manifest.py" "$folder/$name.img" "$version" "$architecture" "$folder/$name.rpi-imager-manifest" \
    ${IMAGE_URL:+"$IMAGE_URL"}
say "$folder/$name.img: $(du -m --apparent-size "$folder/$name.img" | cut -f 1) MB, $((size >> 20)) MB of it the root;" \
    "$(du -m "$folder/$name.img.zst" | cut -f 1) MB compressed"
