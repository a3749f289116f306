#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs all tests of the built test program, and says at the end which failed and why: thousands of lines stand between.
#
#   run.sh TEST_PROGRAM LOGS [FILTER]
#
# FILTER is a pattern of names: those tests run in one process. Without it:
# Two processes more than there are cores, eight at most, and in each one test after the other: tests that wait for something
# share no threads with those that compute, and leave the cores to another process. (`swift test` would have one process wait
# for the other.) The program lists its suites, and each goes to the part that has the fewest tests. There are four times as many
# parts as processes: whoever has done one takes the next, so that none waits long for the last. Then the tests of
# whole programs, which run two stories at a time for each core, and wait by progress. A process that finds no test
# fails, and one that takes several times as long as it does on a busy machine hangs: it is ended, and the tests that had begun
# are named. The run fails, too, when not as many tests ran as are listed. What a person sees is a line for each suite;
# everything that was printed stays in LOGS.
set -u
[ $# = 2 ] || [ $# = 3 ] || { sed -n '5p' "$0" | sed 's/^#  *//' >&2; exit 64; }
program=$1 logs=$2 filter=${3:-}
mkdir -p "$logs" && rm -rf "$logs"/*.log "$logs"/*.failed "$logs"/tests "$logs"/parts "$logs"/taken || exit 73

# A folder that ends with this run, with the files of tests that were killed. Other users may pass, as some tests are another.
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/run.XXXXXX") && chmod 755 "$TMPDIR" || exit 73
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# Ends programs in the background, which would not receive Ctrl-C.
trap 'trap "" INT TERM; kill -TERM 0; wait; exit 130' INT TERM

limit=${LOGIN_KIOSK_TEST_LIMIT:-25m}

# The lines are told apart by how they begin.
export NO_COLOR=1

# part NAME ARGUMENT...: the result is the file NAME.failed, or that there is none.
part() {
    name=$1
    shift
    # Under nohup, programs would not hear the signal that has them read their settings again.
    { timeout --foreground --kill-after=10 "$limit" env --default-signal=HUP "$program" --testing-library swift-testing "$@" \
        2>&1 < /dev/null || echo "exit code $?" > "$logs/$name.failed"; } |
        tee "$logs/$name.log" | grep --line-buffered -E '^. (Suite .* (passed|failed)|Test run )|✘|recorded an issue'
}

"$program" --testing-library swift-testing --list-tests > "$logs/tests" || exit
[ -s "$logs/tests" ] || { echo "failed: there are no tests in $program" >&2; echo "hint: name a module that has tests" >&2; exit 1; }
processes=$(($(nproc) < 6 ? $(nproc) + 2 : 8))

# A line a part: a pattern of the suites, and of the tests that are in none, whose parentheses and dots are no operators.
cut -d / -f 1 "$logs/tests" | grep -v '^ProgramTests\.' | sort | uniq -c | sort -k 1,1nr -k 2 | awk -v parts="$((4 * processes))" '
    {
        least = 1
        for (part = 2; part <= parts; part++) if (tests[part] + 0 < tests[least] + 0) least = part
        tests[least] += $1
        gsub(/[.()]/, "\\\\&", $2)
        suites[least] = suites[least] "|" $2
    }
    END { for (part in suites) print "^(" substr(suites[part], 2) ")(/|$)" }' > "$logs/parts"
mkdir "$logs/taken"
run_parts() { # what nobody has taken yet
    number=0
    while read -r suites; do
        number=$((number + 1))
        mkdir "$logs/taken/$number" 2> /dev/null || continue
        part "suites-$number" --no-parallel --filter "$suites"
    done < "$logs/parts"
}
if [ -n "$filter" ]; then
    part tests --no-parallel --filter "$filter"
    if grep -qs 'Test run with 0 tests' "$logs/tests.log"; then
        echo "failed: no test matches '$filter'" >&2
        echo "hint: $logs/tests lists the tests" >&2
        exit 1
    fi
else
    for process in $(seq "$processes"); do run_parts & done
    wait
    ! grep -q '^ProgramTests\.' "$logs/tests" || part programs --filter '^ProgramTests\.'
fi

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
listed=$(grep -c . "$logs/tests")
ran=$(sed -nE 's/^[^ ]+ Test run with ([0-9]+) tests? .*/\1/p' "$logs"/*.log | awk '{ sum += $1 } END { print sum + 0 }')
[ -n "$filter" ] || [ "$ran" = "$listed" ] || { status=1; echo "failed: $ran tests ran, and $logs/tests lists $listed" >&2; }
exit $status
