#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the device tests: builds the guest when it is not up to date, and boots it for each part: with a clock that is counted for
# the keypads, whose tests mostly wait, and with the machine's own for cameras and logins, for the panel, for fingers on it, and
# for a sound card.
#
#   test.sh PROGRAMS CYCLES PRESSES [PART...]
#
# A PART is keypads, cameras, panel, touch, setup, sound or power; without one the first two run. With PICTURES=FOLDER in the
# environment the panel's pictures stay there. The power is cut CUTS times, at moments of SEED; CUT=NUMBER repeats one.
# PROGRAMS is the folder of the built programs, CYCLES how often a camera is unplugged while it streams, PRESSES how
# many keys are pressed and counted on a matrix, a quarter of that on an input device. The guest is kept in
# $LOGIN_KIOSK_DEVICES, else in the user's cache folder.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 3 ] || { sed -n '3,14s/^# \{0,1\}//p' "$0" >&2; exit 64; }
programs=$1 cycles=$2 presses=$3
shift 3
parts=" ${*:-keypads cameras} "
cache=${LOGIN_KIOSK_DEVICES:-${XDG_CACHE_HOME:-$HOME/.cache}/login-kiosk/devices}

[ "$(uname -m)" = x86_64 ] || { echo "devices: the guest is built for amd64 only" >&2; exit 69; }
missing=
for package in $("$here/../../deploy/packages.sh" here "$here/debian-packages.txt"); do
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] ||
        missing="$missing $package"
done
if [ -n "$missing" ]; then
    echo "devices: these packages are missing:$missing" >&2
    echo "hint: apt-get install --no-install-recommends$missing" >&2
    exit 69
fi
# Two runs at once would take the guest from each other.
mkdir -p "$cache"
exec 9> "$cache/lock"
flock --nonblock 9 || { echo "devices: waiting for another run with $cache" >&2; flock 9; }
"$here/build-guest.sh" "$cache"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/lib"
for script in common pads backend keypads presses lights scanner cameras exposure vivid login screen panel touch setup sound; do
    cp "$here/$script.sh" "$work/"
done
cp "$here/messages.pl" "$work/"
for program in login-kiosk-scanner login-kiosk login-kiosk-backend login-kiosk-dev login-kiosk-display; do
    [ -x "$programs/$program" ] || continue
    strip -o "$work/$program" "$programs/$program"
    # The guest is the same Debian, so its C library does; everything else comes along.
    ldd "$programs/$program" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p' | grep -vE '/(libc|libm|libpthread|libdl|ld-linux.*)\.so' |
        while read -r library; do cp -Lu "$library" "$work/lib/"; done
done
for person in alice bob; do
    "$here/tools/make-clip.py" "$work/$person" "https://login.example/#$person"
done
"$here/tools/make-clip.py" "$work/carol" "https://login.example/#carol" --spare-bytes
"$here/tools/make-clip.py" "$work/dave" "https://login.example/#dave" --faint
"$here/tools/make-clip.py" "$work/nobody" "" --empty
wants() { case $parts in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
# All run, whatever the first finds. The lights come first: keypads.sh takes the chip away, and Linux 6.1 does not let go of
# its driver after that, so that its lines stay without names.
code=0
! wants keypads || CLOCK=counted "$here/run-guest.sh" "$cache" $((900 + presses / 5)) "$work" \
    "./lights.sh; code=\$?; ./keypads.sh || code=1; ./presses.sh $presses && exit \$code" || code=$?
! wants cameras || "$here/run-guest.sh" "$cache" $((900 + 8 * cycles)) "$work" \
    "./cameras.sh $cycles; code=\$?; ./login.sh && exit \$code" || code=$?
! wants panel || PANEL=800x480 "$here/run-guest.sh" "$cache" 1800 "$work" ./panel.sh || code=$?
! wants touch || PANEL=800x480 "$here/run-guest.sh" "$cache" 1200 "$work" ./touch.sh || code=$?
! wants setup || PANEL=800x480 "$here/run-guest.sh" "$cache" 900 "$work" ./setup.sh || code=$?
if wants power; then
    # Unquoted on purpose: without a number of one cut there is no word.
    # shellcheck disable=SC2086
    python3 -B "$here/power.py" "$cache" "$work" "${CUTS:-6}" "${SEED:-$RANDOM}" ${CUT:-} || code=$?
fi
if wants sound; then
    # The sound card records what it plays.
    DEVICES="-audiodev wav,id=sound,path=$work/sound.wav -device intel-hda -device hda-output,audiodev=sound" \
        "$here/run-guest.sh" "$cache" 900 "$work" ./sound.sh || code=$?
    "$here/tools/loudness.py" "$work/sound.wav" || code=$?
fi
exit "$code"
