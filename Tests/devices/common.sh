# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What the scripts in the guest share. Who sources it defines `explain`: what to print after a check that failed.
passed=0 failed=0

check() { # check NAME COMMAND...: the command must succeed
    name=$1
    shift
    if "$@" > /tmp/check 2>&1; then
        passed=$((passed + 1))
        echo "ok    $name"
    else
        failed=$((failed + 1))
        echo "FAIL  $name"
        { tail -n 12 /tmp/check; explain; } 2> /dev/null | sed 's/^/      /'
    fi
}

verdict() { # the last line, and whether all succeeded
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}

within() { # within SECONDS COMMAND...: tries until it succeeds
    tries=$(($1 * 5))
    shift
    until "$@" > /dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.2
    done
}

refused() { # refused COMMAND...: the command must fail
    "$@" && return 1
    return 0
}

busy() { # busy PROCESS: its processor time so far, in microseconds
    # clock_gettime, of the clock that a process's number makes: threads that have ended count, too.
    perl -e 'my $time = "\0" x 16; syscall(228, ((~$ARGV[0]) << 3) | 2, $time) == 0 or die;
        my ($seconds, $rest) = unpack("qq", $time); print int($seconds * 1e6 + $rest / 1000), "\n"' "$1"
}

browse() { # browse PATH: what a browser gets from $site, which keeps its cookie
    busybox wget -q -S -O - --header "Cookie: $(cat /tmp/cookie)" "$site$1" 2> /tmp/headers
    sed -n 's/.*[Ss]et-[Cc]ookie: \([^;]*\);.*/\1/p' /tmp/headers > /tmp/new-cookie
    [ ! -s /tmp/new-cookie ] || mv /tmp/new-cookie /tmp/cookie
}
