# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# A card as it comes, without an operator: it waits for a profile, and takes the one on a USB stick that is plugged in. After a reset it
# takes one on its boot partition. Sourced by test.sh.

# a_stick FILE...: a FAT image with a partition, as sticks are sold, and these files at its top.
a_stick() {
    local file=$work/stick.img part=$work/stick.part
    rm -f "$file" "$part"
    truncate --size 34M "$file"
    echo 'start=2048, type=c' | sfdisk --quiet --label dos "$file"
    mkfs.vfat -n STICK -C "$part" $((32 << 10)) > /dev/null
    MTOOLS_SKIP_CHECK=1 mcopy -i "$part" "$@" ::/
    dd if="$part" of="$file" bs=1M seek=1 conv=notrunc,sparse status=none
    rm "$part"
}
plug_in() { monitor "drive_add 0 if=none,id=stick,format=raw,readonly=on,file=$work/stick.img" "device_add usb-storage,drive=stick,id=plug"; }
pull_out() { monitor "device_del plug"; }
kiosk() { inside "runuser -u login-kiosk -- login-kiosk $*"; }
set_up() { kiosk fleet number | grep -q '^profile of'; }
serves() { kiosk trust list | grep -q 127.0.0.1:8480; }
waits_for_people() { shows "Scan the login QR code" && ! shows "Number of this kiosk"; }
# The operator's own machine is this one: below /run nothing lasts.
the_operator() {
    inside 'cat > /run/operator-trusted' <<< 127.0.0.1:8480
    inside 'cat > /run/operator.yaml' << 'END'
network:
  allow-loopback-http: true
END
    inside 'cd /run && login-kiosk fleet operator-key operator.key' > /dev/null
}
# take_it OPERATOR: presses OK for as many pages as the screen needs.
take_it() {
    for _ in 1 2 3 4 5 6; do
        shows "Operator: $1" || shows "127.0.0.1:8480" || break
        keys ret
        sleep 3
    done
}
copied() { inside test -e /run/login-kiosk/login-kiosk.profile; }

insert "$image" 2G
allow_ssh
power_on
check "it comes to its first screen" ready "$patience"
until_done 120 inside true
kiosk fleet number > "$work/number"
number=$(sed -n 's/^number: //p' "$work/number")
check "which says its number and waits for a profile" until_done 120 shows "Number of this kiosk: ${number:?}"
picture "$folder/waiting-$architecture.png"
the_operator
# made NAME: a profile for this kiosk, in $work/login-kiosk.profile.
made() {
    inside "cd /run && rm -f made && login-kiosk fleet card --operator-key operator.key --name '$1' --settings operator.yaml \
        --trust operator-trusted --kiosk $(grep -o 'LOGIN-KIOSK-KEY:.*' "$work/number") --file made && cat made" > "$work/made"
    sed -n '/^LOGIN-KIOSK-PROFILE:/p' "$work/made" > "$work/login-kiosk.profile"
}
echo "LOGIN-KIOSK-PROFILE:1:NONSENSE" > "$work/login-kiosk.profile"
a_stick "$work/login-kiosk.profile"
plug_in
check "a damaged profile on a stick is refused" until_done 120 shows "This profile is damaged"
check "and the stick is mounted nowhere" inside '! grep vfat /proc/mounts | grep -v -E " /(boot/efi|run/)"'
pull_out
check "its copy goes with the stick" until_done 120 refused copied
made "City library"
a_stick "$work/login-kiosk.profile"
plug_in
check "a profile on a stick is asked about" until_done 120 shows "Operator: City library"
picture "$folder/asked-$architecture.png"
take_it "City library"
check "it counts after OK" until_done 120 set_up
check "and the kiosk waits for people" until_done 120 waits_for_people
picture "$folder/set-up-$architecture.png"
check "who may log in where is the operator's list" serves
# The stick is still plugged in.
power_off
power_on -drive "if=none,id=stick,format=raw,readonly=on,file=$work/stick.img" -device usb-storage,drive=stick
check "the next start knows its operator" ready "$patience"
until_done 120 inside true
check "waits for people" until_done 120 waits_for_people
check "and leaves the stick alone" refused copied

# The kiosk is handed on: the next operator lays a profile on the boot partition of a machine that is off.
inside 'systemctl stop login-kiosk' || true
check "a reset forgets its operator" kiosk reset --yes
power_off
power_on
check "it starts as one that has none" ready "$patience"
until_done 120 inside true
kiosk fleet number > "$work/number"
check "with another number" refused grep -q "^number: $number$" "$work/number"
the_operator
made "City archive"
power_off
boot_file mcopy -o "$work/login-kiosk.profile" ::/login-kiosk/login-kiosk.profile
power_on
check "a profile on the boot partition is asked about" until_done "$patience" shows "Operator: City archive"
picture "$folder/handed-on-$architecture.png"
take_it "City archive"
until_done 120 inside true
check "it counts after OK" until_done 120 set_up
check "and the kiosk waits for people" until_done 120 waits_for_people
power_off
