# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Updates from a folder on a USB stick, which reach the other slot or do not; sourced by test.sh.

root=$(ls "$folder"/update/login-kiosk-*-"$architecture".squashfs | head -n 1)
# stick NAME ROOT VERSION KEY: an update on a medium of its own.
stick() {
    rm -rf "$work/stick" "$folder/stick-$1.img"
    "$here/../../deploy/image/update.sh" "$2" "$3" "$architecture" "$4" "$work/stick"
    mke2fs -q -t ext4 -L "$1" -d "$work/stick" "$folder/stick-$1.img" $(($(megabytes "$2") * 11 / 10 + 16))M
    rm -rf "$work/stick"
}
plugged() { # plugged NAME...: what QEMU has to be told of the sticks
    local name
    for name in "$@"; do
        echo "-drive if=none,id=$name,format=raw,readonly=on,file=$folder/stick-$name.img -device usb-storage,drive=$name"
    done
}
take() { # take NAME: what the machine says of the update on that stick
    limit=900 inside "umount /mnt 2> /dev/null; mount -o ro /dev/disk/by-label/$1 /mnt && login-kiosk-update /mnt" > "$work/taken" 2>&1
}

if [ ! -e "$folder/stick-new.img" ] || [ "$root" -nt "$folder/stick-new.img" ]; then
    # The same system under another version.
    unsquashfs -quiet -no-progress -dest "$work/next" "$root" > /dev/null
    echo 'VERSION=99.0' > "$work/next/usr/lib/login-kiosk/image"
    mksquashfs "$work/next" "$work/next.squashfs" -comp gzip -Xcompression-level 1 -noappend -no-progress -quiet -no-xattrs \
        -action 'uncompressed @ name(vmlinuz) || name(initrd.img) || name(*.ko.xz)' > /dev/null
    # One with a kernel, and nothing behind it.
    mkdir "$work/empty"
    mv "$work/next/boot" "$work/empty/"
    mksquashfs "$work/empty" "$work/empty.squashfs" -comp gzip -noappend -no-progress -quiet > /dev/null
    openssl genpkey -algorithm ed25519 -out "$work/other.pem"
    stick new "$work/next.squashfs" 99.0 "$folder/key.pem"
    stick empty "$work/empty.squashfs" 99.1 "$folder/key.pem"
    stick foreign "$work/empty.squashfs" 99.2 "$work/other.pem"
    rm -rf "$work"/next* "$work"/empty*
fi

if [[ $parts = *" update "* ]]; then
    echo "== updates"
    fresh
    # shellcheck disable=SC2046
    power_on $(plugged new foreign empty)
    ready "$patience" && until_done 120 inside true
    before=$(identity)
    take foreign
    check "an update that somebody else signed is refused" grep -q 'is not signed by the key' "$work/taken"
    check "and no slot is tried" inside 'grep -q "^try=$" /boot/efi/EFI/debian/slots'
    take new
    check "the other slot is written, tried, and comes to READY" until_done "$patience" said 'ready, slot b, version 99.0'
    until_done 120 inside true
    check "it is the good one then" inside 'grep -q "^good=b$" /boot/efi/EFI/debian/slots && grep -q "^try=$" /boot/efi/EFI/debian/slots'
    check "machine, keys and store are the same" test "$before" = "$(identity)"
    take new
    check "the same version again is no update" grep -q 'nothing to do' "$work/taken"
    take empty
    # The serial line goes on over all starts.
    times() { tr -d '\r' < "$work/serial" | grep -a -c "$1"; }
    twice() { [ "$(times 'login kiosk: ready, slot b')" -ge 2 ]; }
    check "a slot that does not start is given up" until_done $((4 * patience)) twice
    check "after three starts of it" test "$(times 'login kiosk: starting slot a')" = 4
    power_off
fi
