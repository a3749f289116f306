#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures what the scanner costs while it films an empty room at 30 frames a second: processor time and memory.
#
#   load.sh SCANNER WIDTHxHEIGHT
#
# SCANNER is the built program, optimised. The frames come through a pipe, which costs more than a camera's buffers do.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 2 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
scanner=$1 size=$2 settling=5 seconds=20

work=$(mktemp -d)
process=''
cleanup() {
    [ -z "$process" ] || kill "$process" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
mkfifo "$work/film" "$work/commands"
"$here/tools/film.py" "$size" "$work/film" &
exec 3<> "$work/commands"
"$scanner" --source "y4m:$work/film" < "$work/commands" 3<&- > >(cat > "$work/messages") &
process=$!

# In hundredths of a second, of all threads.
spent() { awk '{ print $14 + $15 }' "/proc/$process/stat"; }
sleep $settling
before=$(spent)
sleep $seconds
echo "$size: $((($(spent) - before) / seconds)) % of a processor, $(sed -n 's/^VmHWM:[^0-9]*//p' "/proc/$process/status") at most"
