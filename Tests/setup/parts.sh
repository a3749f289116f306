#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Has Tests/run.sh deal out the suites of a program that stands in for the tests: it lists them, and notes which it is asked for.
#
#   parts.sh
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
[ $# = 0 ] || { sed -n '5p' "$0" | sed 's/^#  *//' >&2; exit 64; }
. "$top/Tests/devices/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
explain() { tail -n 5 "$work/said"; }

cat > "$work/program" << 'END'
#!/bin/sh
here=$(dirname "$0")
while [ $# -gt 1 ] && [ "$1" != --filter ]; do shift; done
[ "$1" != --list-tests ] || exec cat "$here/tests"
grep -E -e "$2" "$here/tests" > "$here/asked.$$"
cat "$here/asked.$$" >> "$here/ran"
! grep -q "$(cat "$here/crashes")" "$here/asked.$$" || exit 5
count=$(grep -vc "$(cat "$here/loses")" "$here/asked.$$")
[ "$count" = 1 ] && tests=test || tests=tests
grep -q "$(cat "$here/fails")" "$here/asked.$$" && {
    echo "✘ Test fails() recorded an issue at FirstTests.swift:1:1: Expectation failed: isRight"
    for line in $(seq 500); do echo "◇ Test passes$line() started."; done
    echo "✘ Test run with $count $tests in 1 suite failed after 0.1 seconds with 1 issue."
    exit 1
}
echo "✔ Test run with $count $tests in 1 suite passed after 0.1 seconds."
END
chmod +x "$work/program"
# The second and the third are of names that begin alike, and the fourth is in no suite.
whole() {
    for number in $(seq 30); do echo "FirstTests.Suite$number/one(argument:)"; done
    printf '%s\n' 'FirstTests.Text/one()' 'FirstTests.TextTests/one()' 'FirstTests.TextTests/two()/TextTests.swift:1:6' 'SecondTests.free()'
}
set_up() { for kind in crashes loses fails; do echo never > "$work/$kind"; done; cat > "$work/tests"; }
run() { rm -f "$work/ran" "$work"/asked.*; "$top/Tests/run.sh" "$work/program" "$work/logs" "$@" > "$work/said" 2>&1; }
each_once() { run && sort "$work/tests" > "$work/expected" && sort "$work/ran" | cmp "$work/expected" -; }

{ whole; echo 'ProgramTests.FlowTests/one()'; } | set_up
check "every test runs once" each_once
check "in several parts, of which none is much longer" \
    eval '[ "$(ls "$work"/logs/suites-*.log | wc -l)" -ge 3 ] && [ "$(wc -l "$work"/asked.* | sed "\$d" | sort -n | tail -n 1 | sed "s/^ *//; s/ .*//")" -le 12 ]'
echo 'TextTests/two' > "$work/loses"
check "a test that did not run is told" eval '! run && grep -q "failed: 34 tests ran, and $work/logs/tests lists 35" "$work/said"'
{ whole; echo 'ProgramTests.FlowTests/one()'; } | set_up
echo 'Suite7/' > "$work/crashes"
check "a part that crashes fails, and is told" eval '! run && grep -q "failed: suites-[0-9]* (exit code 5)" "$work/said"'
whole | set_up
check "with a filter the tests that match run, and no others" eval 'run "Suite[12]/" && [ "$(wc -l < "$work/ran")" = 2 ]'
echo 'Suite7/' > "$work/fails"
check "one that fails is told at the end, without what stood between" \
    eval '! run Suite && tail -n 15 "$work/said" | grep -q "recorded an issue at FirstTests.swift:1:1" && [ "$(wc -l < "$work/said")" -lt 20 ]'
whole | set_up
check "a filter that no test matches fails, and says so" eval '! run Nonexistent && grep -q "failed: no test matches .Nonexistent." "$work/said"'
printf '' | set_up
check "so does a program without tests" eval '! run && grep -q "failed: there are no tests" "$work/said"'
check "and a module that is not there" eval '! make -s -C "$top" -f Makefile -o setup test-only MODULES=Nonexistent > "$work/said" 2>&1 &&
    grep -q "there is no module .Nonexistent." "$work/said"'
whole | set_up
check "where no programs are built nothing is missed" each_once
verdict
