# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Pulls the plug at moments that the seed chooses: in the first start, in an update, in use. Each time the next start must come to
# READY with the same keys. Sourced by test.sh.

[[ $parts = *" update "* ]] || . "$here/update.sh"
RANDOM=$seed
kept= starts=0 longest=0
# back: the start after a cut.
back() {
    local since=$SECONDS now
    power_on "$@"
    ready "$patience" || return 1
    [ $((SECONDS - since)) -le $longest ] || longest=$((SECONDS - since))
    starts=$((starts + 1))
    until_done 120 inside true || return 1
    now=$(identity)
    [ -z "$kept" ] || [ "$kept" = "$now" ] || { echo "kept: $kept; now: $now"; return 1; }
    kept=$now
}
# within_start: some seconds of a start, about as many as one takes.
within_start() { sleep $((RANDOM % (longest > 20 ? longest : 90))).$((RANDOM % 10)); }

echo "== power cuts: $cuts"
for ((cut = 1; cut <= cuts; cut++)); do
    case $((cut % 4)) in
    1)
        fresh
        kept=
        # shellcheck disable=SC2046
        power_on $(plugged new)
        within_start
        moment="in the first start"
        ;;
    3)
        inside 'umount /mnt; true'
        take new &
        sleep $((RANDOM % 60)).$((RANDOM % 10))
        moment="in an update"
        ;;
    2)
        within_start
        moment="in use"
        ;;
    0)
        power_off
        # shellcheck disable=SC2046
        power_on $(plugged new)
        within_start
        moment="in a later start"
        ;;
    esac
    power_off
    # shellcheck disable=SC2046
    check "cut $cut, $moment" back $(plugged new)
    tr -d '\r' < "$work/serial" | grep -a -o 'login kiosk: ready.*' | tail -n 1
done
power_off
echo "power cuts: $cuts, starts to READY after them: $starts"
