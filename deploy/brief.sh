#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a build or an installation and shows one line of it that moves: step, time. Everything it says goes to the end of a
# file, which is named when it fails.
#
#   brief.sh LOG NAME COMMAND...
set -uo pipefail
[ $# -ge 3 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 64; }
log=$1 name=$2
shift 2
width=$(($(tput cols 2> /dev/null || echo 80) - 1))

show() { # doing
    [ -t 2 ] || return 0
    local text
    printf -v text '%s: %s, %d:%02d' "$name" "$1" $((SECONDS / 60)) $((SECONDS % 60))
    printf '\r\033[K%s' "${text:0:width}" >&2
}

follow() {
    local doing='starting' line='' piece
    while true; do
        piece=
        if IFS= read -r -t 1 piece; then
            line+=$piece
            if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ +[A-Za-z-]+\ ([^ ]+) ]]; then
                doing="step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}, ${BASH_REMATCH[3]}"
            elif [[ $line =~ ^(Fetch|Updat|Comput|Creat|Work|Plann|Build|Get:|Unpack|Setting) ]]; then
                doing=$line
            fi
            line=
        elif [ $? -gt 128 ]; then
            # Nothing new for a second; what has come may be the beginning of a line.
            line+=$piece
        else
            break
        fi
        show "$doing"
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

[ -t 2 ] || echo "$name: begins; all that it says goes to $log" >&2
"$@" 2>&1 < /dev/null | tee -a "$log" | follow
status=${PIPESTATUS[0]}
[ "$status" = 0 ] && exit
grep -m 5 -E 'error:|^E: |^dpkg: ' "$log" >&2
echo "$name: failed; all that it said is in $log" >&2
exit "$status"
