#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs all tests of the built test program, and says at the end which failed and why: thousands of lines stand between.
#
#   run.sh TEST_PROGRAM LOGS
#
# Four processes, and in each one test after the other: tests that wait for something share no threads with those that
# compute, and leave the cores to another process. (`swift test` would have one process wait for the other.) Then the tests of
# whole programs, which run as many stories at a time as there are cores, and wait by progress. A process that finds no test
# fails, and one that takes several times as long as it does on a busy machine hangs: it is ended, and the tests that had begun
# are named. What a person sees is a line for each suite; everything that was printed stays in LOGS.
set -u
[ $# = 2 ] || { sed -n '5p' "$0" | sed 's/^#  *//' >&2; exit 64; }
program=$1 logs=$2
mkdir -p "$logs" && rm -f "$logs"/*.log "$logs"/*.failed || exit 73

# What runs in the background would not hear Ctrl-C.
trap 'trap - INT TERM; kill -TERM 0' INT TERM

limit=${LOGIN_KIOSK_TEST_LIMIT:-25m}

# The lines are told apart by how they begin.
export NO_COLOR=1

# part NAME ARGUMENT...: the result is the file NAME.failed, or that there is none.
part() {
    name=$1
    shift
    # Under nohup, programs would not hear the signal that has them read their settings again.
    { timeout --foreground --kill-after=10 "$limit" env --default-signal=HUP "$program" --testing-library swift-testing "$@" \
        2>&1 || echo "exit code $?" > "$logs/$name.failed"; } |
        tee "$logs/$name.log" | grep --line-buffered -E '^. (Suite .* (passed|failed)|Test run )|✘|recorded an issue'
}

part backend-a-to-k --no-parallel --filter '^ReferenceBackendTests\.[A-K]' &
part backend-l-to-z --no-parallel --filter '^ReferenceBackendTests\.[L-Za-z]' &
part rooms-a-to-l --no-parallel --filter '^[A-L]' &
part rooms-m-to-z --no-parallel --filter '^[M-Za-z]' --skip '^(ReferenceBackend|Program)Tests\.' &
wait
part programs --filter '^ProgramTests\.'

status=0
for failed in "$logs"/*.failed; do
    [ -e "$failed" ] || continue
    status=1 name=$(basename "$failed" .failed)
    echo
    echo "failed: $name ($(cat "$failed")). All of it: $logs/$name.log"
    # An issue's own lines begin with an arrow. A program that was killed says so in its last lines.
    grep -A 4 -E '✘|recorded an issue' "$logs/$name.log" | grep -vE '^(--|◇|✔|. (Test case|Suite|Test) .* (started|passed))' | tail -n 200
    tail -n 5 "$logs/$name.log"
    case "$(cat "$failed")" in *124 | *137)
        echo "it was ended after $limit (LOGIN_KIOSK_TEST_LIMIT); these tests had begun:"
        sed -nE '/^◇ Test (run|case) /d; s/^◇ Test (.*) started\.$/+ \1/p; s/^[✔✘] Test (.*) (passed|failed) after.*/- \1/p' "$logs/$name.log" |
            sed -E 's/ with [0-9]+ test cases?$//' |
            awk '/^\+/ { begun[substr($0, 3)] } /^-/ { delete begun[substr($0, 3)] } END { for (test in begun) print "  " test }'
        ;;
    esac
done >&2
exit $status
