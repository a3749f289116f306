# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Checks and waits of the scripts in the guest, and of other tests that look at a machine. Who sources it defines `explain`:
# what to print after a check that failed.
passed=0 failed=0
told=$(mktemp)

check() { # check NAME COMMAND...: the command must succeed
    name=$1
    shift
    if "$@" > "$told" 2>&1; then
        passed=$((passed + 1))
        echo "ok    $name"
    else
        failed=$((failed + 1))
        echo "FAIL  $name"
        { tail -n 12 "$told"; explain; } 2> /dev/null | sed 's/^/      /'
    fi
}

verdict() { # the last line, and whether all succeeded
    rm -f "$told"
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}

# Waits are as long as this machine needs at the moment: their seconds are those of a machine with nothing else to do.
# The time that a burst of work takes there, in hundredths of a second: in a guest, whose processor is emulated.
usual=${usual:-15}
slowness=10 measured=-1000

clock() { # now, in hundredths of a second
    read -r now _ < /proc/uptime
    hundredths=1${now#*.}
    now=$((${now%.*} * 100 + hundredths - 100))
}
measure() { # measure: slowness, in tenths; 20 where work takes twice its time. A peak fades.
    clock
    [ $((now - measured)) -ge 500 ] || return 0
    measured=$now
    # Whole numbers only: others are far slower where they are emulated.
    head -c 8000000 /dev/zero | md5sum > /dev/null
    clock
    slowness=$((slowness * 7 / 10))
    burst=$(((now - measured) * 10 / usual))
    [ $burst -le $slowness ] || slowness=$burst
    [ $slowness -ge 10 ] || slowness=10
}

within() { # within SECONDS COMMAND...: tries until it succeeds
    local left looked
    left=$(($1 * 100))
    shift
    clock
    looked=$now
    until "$@" > /dev/null 2>&1; do
        [ $left -gt 0 ] || return 1
        sleep "${pause:-0.2}"
        measure
        clock
        left=$((left - (now - looked) * 10 / slowness))
        looked=$now
    done
}

refused() { # refused COMMAND...: the command must fail
    "$@" && return 1
    return 0
}

ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; } # ticks PROCESS: its processor time, in hundredths of a second

browse() ( # browse PATH: what a browser gets from $site, which keeps its cookie; one request after the other
    flock 9
    busybox wget -q -S -O - --header "Cookie: $(cat /tmp/cookie)" "$site$1" 2> /tmp/headers
    sed -n 's/.*[Ss]et-[Cc]ookie: \([^;]*\);.*/\1/p' /tmp/headers > /tmp/new-cookie
    [ ! -s /tmp/new-cookie ] || mv /tmp/new-cookie /tmp/cookie
) 9> /tmp/browser-lock
