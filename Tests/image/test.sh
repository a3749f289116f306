#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes an image, writes it to a larger card, and boots that in QEMU with UEFI: first start, settings from the boot partition, a
# profile on a stick, a login, an update, updates that must be refused or do not start, power cuts.
#
#   test.sh ARCHITECTURE PACKAGES FOLDER CUTS
#
# PACKAGES has the kiosk's package for Debian 13, and for the login the backend's. FOLDER keeps image and pictures of the screen. CUTS
# is how often the plug is pulled. SEED in the environment repeats a run; PARTS names what to run: start setup login update cuts.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# = 4 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 64; }
architecture=$1 packages=$2 folder=$3 cuts=$4
seed=${SEED:-$RANDOM}
parts=" ${PARTS:-start setup login update cuts} "
# Seconds: an emulated machine starts in one or two minutes, one for arm64 in three.
patience=600
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d)
# The time of a burst of work on this machine, where the waiting process runs, not in a guest.
usual=2
. "$here/../devices/common.sh"
. "$here/../machine/machine.sh"
. "$here/../machine/login.sh"
trap 'power_off; rm -rf "$work"' EXIT
explain() { tail -n 12 "$work/serial" | tr -d '\r'; }

. "$here/made.sh"
megabytes() { du -m --apparent-size "$1" | cut -f 1; }
echo "image: $(megabytes "$image") MB, compressed $(megabytes "$image.zst") MB; seed $seed"
check "its manifest and its sum describe it" sh -c 'python3 -B "$1/manifest.py" "${2%.img}.rpi-imager-manifest" &&
    cd "$(dirname "$2")" && sha256sum --check --strict "$(basename "$2").zst.sha256"' sh "$here" "$image"

allow_ssh() {
    ssh_key
    boot_file mcopy -o "$work/key.pub" ::/login-kiosk/authorized_keys
}
fresh() { # a card of 2 GB, with settings on its boot partition
    insert "$image" 2G
    allow_ssh
    printf '127.0.0.1:8480\r\n' > "$work/trusted"
    printf 'network:\n  allow-loopback-http: true\nscreen:\n  language: en\n' > "$work/50-trial.yaml"
    boot_file mcopy -o "$work/trusted" ::/login-kiosk/trusted
    boot_file mcopy -o "$work/50-trial.yaml" ::/login-kiosk/config.d/50-trial.yaml
}
identity() { inside 'cat /etc/machine-id; ls /state/key /state/identities; sha256sum /state/key/* /state/ssh/*'; }
slot() { inside 'sed -n "s/.*login_kiosk.slot=\(.\).*/\1/p" /proc/cmdline'; }
off_and_on() { power_off; power_on "$@"; ready "$patience"; }

if [[ $parts = *" start "* ]]; then
    echo "== the first start"
    [ "$(megabytes "$image")" -le 700 ] && [ "$(megabytes "$image.zst")" -le 250 ]
    check "700 MB at most, 250 MB compressed" test $? = 0
    fresh
    power_on
    began=$SECONDS
    check "grub starts slot a" until_done "$patience" said 'login kiosk: starting slot a'
    firmware=$((SECONDS - began))
    check "it comes to the kiosk's first screen" ready "$patience"
    check "slot a" said 'ready, slot a'
    check "an operator comes in by ssh with the key of the boot partition" until_done 120 inside true
    picture "$folder/first-$architecture.png"
    inside 'systemctl --failed --no-legend; systemctl is-system-running --wait' > "$work/failed"
    check "all units run" grep -q -x running "$work/failed"
    # The same process goes on, with what counted before.
    inside 'systemctl show -p MainPID login-kiosk; systemctl reload login-kiosk && systemctl show -p MainPID login-kiosk' |
        uniq -c > "$work/reload"
    check "the kiosk reads its settings again" grep -q ' 2 MainPID=[1-9]' "$work/reload"
    inside 'mkdir -p /run/login-kiosk/config.d; echo "camera: {rest-after: soon}" > /run/login-kiosk/config.d/99.yaml
        systemctl reload login-kiosk; systemctl show -p StatusText login-kiosk; rm /run/login-kiosk/config.d/99.yaml' > "$work/wrong"
    check "wrong ones are told, and leave all as it was" grep -q 'the settings stay as they were.*99.yaml:1' "$work/wrong"
    inside 'findmnt -n -o FSTYPE,OPTIONS /; findmnt -n -o FSTYPE,SOURCE -T /usr/bin; df --output=size -m /state | tail -n 1;
        hostname; cat /proc/cmdline; swapon --show; systemctl show -p RuntimeWatchdogUSec; ls /dev/watchdog*;
        timedatectl show -p NTP; ss -Hltun; systemd-analyze; systemd-analyze critical-chain login-kiosk.service' > "$work/facts"
    # systemd-analyze begins with the kernel.
    { echo "firmware and grub: $firmware s"; cat "$work/facts"; } > "$folder/facts-$architecture.txt"
    check "the root is an overlay in memory" grep -q '^overlay.*lowerdir' "$work/facts"
    check "the state has taken what the card has more" sh -c "awk '/^ *[0-9]+\$/ && \$1 > 1000 { found = 1 } END { exit !found }' $work/facts"
    check "its name is that of the serial number" grep -q -x login-kiosk-test4711 "$work/facts"
    check "the watchdog is fed" grep -q 'RuntimeWatchdogUSec=15s' "$work/facts"
    check "the screen tells what is missing" shows camera
    check "the screen has Bulgarian letters" inside 'setfont -C /dev/tty1 -ou /run/letters && grep -q -i "U+0431" /run/letters'
    # Cells of letters that the font lacks are all the same.
    check "and shows them" until_done 60 inside 'LC_ALL=C grep -a -o "Idioma/...." /dev/vcs1 | LC_ALL=C grep -a -v -E "/(.)\1\1\1$"'
    check "a panel can be drawn on" inside 'test -x /usr/libexec/login-kiosk/login-kiosk-display &&
        ls /usr/share/fonts/truetype/*/OpenSans-Regular.ttf /usr/share/fonts/truetype/*/DejaVuSansMono.ttf > /dev/null'
    check "only ssh and DHCP listen to the network" test -z "$(sed -n 's/^\(tcp\|udp\) *\(LISTEN\|UNCONN\) *[0-9]* *[0-9]* *\([^ ]*\) .*/\3/p' "$work/facts" |
        grep -v -E '^127\.0\.0\.|:22$|:68$|:546$')"
    check "nothing can be written below /usr for good" inside '! mount -o remount,rw /usr 2> /dev/null; touch /usr/lasting'
    before=$(identity)
    echo "== the second start"
    off_and_on
    check "it comes to the first screen again" said 'login kiosk: ready'
    until_done 120 inside true
    check "machine, keys and store are the same" test "$before" = "$(identity)"
    check "what was written to the root is gone" inside 'test ! -e /usr/lasting'
    echo "== no key file"
    power_off
    boot_file mdel ::/login-kiosk/authorized_keys
    power_on
    check "it comes to the first screen" ready "$patience"
    check "there is no ssh" refused inside true
    power_off
fi

if [[ $parts = *" setup "* ]]; then
    echo "== a card as it comes, and a profile on a stick"
    . "$here/setup.sh"
fi
if [[ $parts = *" login "* ]]; then
    echo "== a login, by camera and keyboard"
    . "$here/login.sh"
fi
if [[ $parts = *" update "* ]]; then
    . "$here/update.sh"
fi
if [[ $parts = *" cuts "* ]]; then
    . "$here/cuts.sh"
fi
verdict
