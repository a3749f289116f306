# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Pulls the plug at moments that the seed chooses: in a start, in use, and wherever an update may be. Each time the next start must
# come to READY with the same keys. Sourced by test.sh.

[[ $parts = *" update "* ]] || . "$here/update.sh"
RANDOM=$seed
kept= starts=0 took=0
# back: the start after a cut.
back() {
    local since=$SECONDS now
    power_on "$@"
    ready "$patience" || return 1
    took=$((SECONDS - since))
    starts=$((starts + 1))
    until_done 120 inside true || return 1
    now=$(identity)
    [ -z "$kept" ] || [ "$kept" = "$now" ] || { echo "kept: $kept; now: $now"; return 1; }
    kept=$now
}
# a_moment SECONDS: up to that many.
a_moment() { sleep $((RANDOM % $1)).$((RANDOM % 10)); }
# a_start: some seconds of one, about as many as the last one took.
a_start() { a_moment $((took > 20 ? took : 90)); }
# update: begins one, and waits until the machine says so much of it.
update() {
    : > "$work/taken"
    inside 'umount /mnt 2> /dev/null; true'
    take new again &
    until_done "$patience" grep -q "$1" "$work/taken"
}
starts_again() { [ "$(times 'login kiosk: starting slot')" -gt 1 ]; }

echo "== power cuts: $cuts"
for ((cut = 1; cut <= cuts; cut++)); do
    case $((cut % 6)) in
    1)
        fresh
        kept=
        # shellcheck disable=SC2046
        power_on $(plugged new)
        a_start
        moment="in the first start"
        ;;
    2)
        a_start
        moment="in use"
        ;;
    3)
        check "an update is written" update writing
        a_moment 60
        check "it was not refused" refused grep '^hint:' "$work/taken"
        moment="while an update is written and read back"
        ;;
    4)
        check "an update waits to be tried" update 'is tried at the next start'
        a_moment 10
        moment="when an update waits to be tried"
        ;;
    5)
        check "an update waits to be tried" update 'is tried at the next start'
        check "it is tried" until_done "$patience" starts_again
        a_start
        moment="in the first start of an update"
        ;;
    0)
        power_off
        # shellcheck disable=SC2046
        power_on $(plugged new)
        a_start
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
