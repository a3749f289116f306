#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the model of a login with Spin, leaves out each rule in turn, which must be noticed, and compares the kiosk's steps
# with steps.txt, along which LoginModelTests walk.
# Usage: Tests/model/run.sh [SESSIONS]   --record writes steps.txt
set -eu

here="$(cd "$(dirname "$0")" && pwd)"
sessions="${1:-2}"
[ "$sessions" != --record ] || sessions=2
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"

build() { # build RULE FLAG...: the program that checks the model without that rule
    spin -a -DRULE="$1" -DSESSIONS="$sessions" "$here/login.pml" > spin.log || { cat spin.log; exit 1; }
    shift
    gcc -O1 -w -DCOLLAPSE "$@" -o pan pan.c
}

find_errors() { # find_errors ARGUMENT...: the errors that a whole search finds; a search that was cut short is one
    ./pan -m1000000 "$@" > pan.log
    ! grep -q "max search depth too small\|out of memory" pan.log || { cat pan.log; exit 1; }
    sed -n 's/.*errors: //p' pan.log
}

build 0 -DSAFETY -DNOCLAIM -DPRINTF
[ "$(find_errors)" = 0 ] || { grep -v '^STEP' pan.log; exit 1; }
echo "assertions hold in $(sed -n 's/ *\([0-9]*\) states, stored.*/\1/p' pan.log) states of $sessions sessions"
grep '^STEP' pan.log | sort -u | awk -f "$here/steps.awk" "$here/login.pml" - | sort > steps.txt
if [ "${1:-}" = --record ]; then cp steps.txt "$here/steps.txt"; fi
diff "$here/steps.txt" steps.txt || { echo "the steps differ: Tests/model/run.sh --record" >&2; exit 1; }

for rule in 1 2 3 4 5 6 7; do
    build "$rule" -DSAFETY -DNOCLAIM
    [ "$(find_errors)" != 0 ] || { echo "rule $rule is not needed" >&2; exit 1; }
done
# The number of weakly fair processes bounds the search's own memory.
build 0 -DNFAIR=3
for formula in comesBack noPINBeforeConsent truth; do
    [ "$(find_errors -a -f -N "$formula")" = 0 ] || { cat pan.log; exit 1; }
    echo "$formula holds"
done
build 8 -DNFAIR=3
[ "$(find_errors -a -f -N comesBack)" != 0 ] || { echo "rule 8 is not needed" >&2; exit 1; }
echo "each of 8 rules is needed"
