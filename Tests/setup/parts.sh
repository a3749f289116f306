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
echo "✔ Test run with $count $tests in 1 suite passed after 0.1 seconds."
END
chmod +x "$work/program"
# The second and the third are of names that begin alike, and the fourth is in no suite.
whole() {
    for number in $(seq 30); do echo "FirstTests.Suite$number/one(argument:)"; done
    printf '%s\n' 'FirstTests.Text/one()' 'FirstTests.TextTests/one()' 'FirstTests.TextTests/two()/TextTests.swift:1:6' 'SecondTests.free()'
}
set_up() { echo never > "$work/crashes"; echo never > "$work/loses"; cat > "$work/tests"; }
run() { rm -f "$work/ran" "$work"/asked.*; "$top/Tests/run.sh" "$work/program" "$work/logs" > "$work/said" 2>&1; }
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
check "where no programs are built nothing is missed" each_once
verdict
