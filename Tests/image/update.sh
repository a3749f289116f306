# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Updates from a folder on a USB stick, which reach the other slot or do not; sourced by test.sh.

root=$folder/update/$(sed -n 's/^file=//p' "$folder/update/update-$architecture")
# By the architecture; the time that a slot on trial has is in one of them.
sticks=$folder/sticks-$architecture${WHOLE_TRIAL:+-whole}
# stick NAME ROOT VERSION KEY: an update on a medium of its own. Its folder `again` says a higher version of the same system
# than the system does of itself, so that it is an update each time.
stick() {
    local update=$top/deploy/image/update.sh file=login-kiosk-$3-$architecture.squashfs
    rm -rf "$work/stick"
    "$update" "$2" "$3" "$architecture" "$4" "$work/stick"
    mkdir "$work/stick/again"
    ln -s "../$file" "$work/stick/again/login-kiosk-100.0-$architecture.squashfs"
    "$update" "$work/stick/$file" 100.0 "$architecture" "$4" "$work/stick/again"
    mke2fs -q -t ext4 -L "$1" -d "$work/stick" "$sticks.new/$1.img" $(($(megabytes "$2") * 11 / 10 + 16))M
    rm -rf "$work/stick"
}
plugged() { # plugged NAME...: what QEMU has to be told of the sticks
    local name
    for name in "$@"; do
        echo "-drive if=none,id=$name,format=raw,readonly=on,file=$sticks/$name.img -device usb-storage,drive=$name"
    done
}
take() { # take NAME [FOLDER]: what the machine says of the update on that stick
    limit=900 inside "umount /mnt 2> /dev/null; mount -o ro /dev/disk/by-label/$1 /mnt && login-kiosk-update /mnt/${2:-}" \
        > "$work/taken" 2>&1
}

if [ ! -e "$sticks" ]; then
    rm -rf "$sticks.new"
    mkdir "$sticks.new"
    pack() { "$top/deploy/image/pack.sh" "$1" "$2" -Xcompression-level 1; } # quickly
    # The same system under another version.
    unsquashfs -quiet -no-progress -dest "$work/next" "$root" > /dev/null
    echo 'VERSION=99.0' > "$work/next/usr/lib/login-kiosk/image"
    pack "$work/next" "$work/next.squashfs"
    # One that starts all, and a kiosk which never says READY. Unless the whole time of a trial is to pass, five minutes, it is
    # shorter and counts from where the services begin: how long an emulated machine needs until there is no matter of this test.
    echo 'VERSION=99.1' > "$work/next/usr/lib/login-kiosk/image"
    mkdir "$work/next/etc/systemd/system/login-kiosk.service.d" "$work/next/etc/systemd/system/login-kiosk-image-trial.timer.d"
    cat > "$work/next/etc/systemd/system/login-kiosk.service.d/hang.conf" << 'END'
[Service]
ExecStart=
ExecStart=/bin/sleep infinity
END
    [ -n "${WHOLE_TRIAL:-}" ] ||
        printf '[Timer]\nOnBootSec=\nOnActiveSec=45\n' > "$work/next/etc/systemd/system/login-kiosk-image-trial.timer.d/soon.conf"
    pack "$work/next" "$work/hanging.squashfs"
    # One with a kernel, and nothing behind it.
    mkdir "$work/empty"
    mv "$work/next/boot" "$work/empty/"
    pack "$work/empty" "$work/empty.squashfs"
    openssl genpkey -algorithm ed25519 -out "$work/other.pem"
    stick new "$work/next.squashfs" 99.0 "$folder/key.pem"
    stick hanging "$work/hanging.squashfs" 99.1 "$folder/key.pem"
    stick empty "$work/empty.squashfs" 99.2 "$folder/key.pem"
    stick foreign "$work/empty.squashfs" 99.3 "$work/other.pem"
    rm -rf "$work"/next* "$work"/hanging* "$work"/empty*
    mv "$sticks.new" "$sticks"
fi

if [[ $parts = *" update "* ]]; then
    echo "== updates"
    fresh
    # shellcheck disable=SC2046
    power_on $(plugged new foreign empty hanging)
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
    back_in_b() { [ "$(times 'login kiosk: ready, slot b')" -ge "$1" ]; }
    take hanging
    check "a slot that starts and does not come to READY is given up" until_done $((4 * patience)) back_in_b 2
    check "after three starts of it" test "$(times 'login kiosk: starting slot a')" = 4
    until_done 120 inside true
    # shellcheck disable=SC2016
    check "in each of which its kiosk had begun" inside 'for start in 1 2 3; do
        journalctl --quiet --boot -$start --unit login-kiosk | grep -q "Starting login-kiosk" || exit 1; done'
    check "and the slot before is the good one" inside 'grep -q "^good=b$" /boot/efi/EFI/debian/slots &&
        grep -q "^try=$" /boot/efi/EFI/debian/slots'
    check "machine, keys and store are the same" test "$before" = "$(identity)"
    take empty
    check "a slot that does not start is given up" until_done $((4 * patience)) back_in_b 3
    check "after three starts of it" test "$(times 'login kiosk: starting slot a')" = 7
    power_off
fi
