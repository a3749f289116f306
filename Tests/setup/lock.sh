#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Has deploy/dependencies.py compare a lock with checkouts of two packages of its own.
#
#   lock.sh
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
[ $# = 0 ] || { sed -n '5p' "$0" | sed 's/^#  *//' >&2; exit 64; }
. "$top/Tests/devices/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
explain() { cat "$work/said"; }

cd "$work" || exit
mkdir deploy
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
for name in One two-kit; do
    git init --quiet "scratch/checkouts/$name"
    echo "let version = 1" > "scratch/checkouts/$name/Source.swift"
    git -C "scratch/checkouts/$name" add Source.swift
    git -C "scratch/checkouts/$name" commit --quiet --message "Begin"
done
commit() { git -C "scratch/checkouts/$1" rev-parse HEAD; }
pins() { # pins VERSION: what SwiftPM took of both
    printf '{"pins": [{"identity": "one", "kind": "remoteSourceControl", "location": "https://example.com/One.git", "state":
        {"revision": "%s", "version": "1.0.0"}}, {"identity": "two-kit", "kind": "remoteSourceControl",
        "location": "https://example.com/two-kit", "state": {"revision": "%s", "version": "%s"}}], "version": 3}' \
        "$(commit One)" "$(commit two-kit)" "$1" > Package.resolved
}
run() { python3 -B "$top/deploy/dependencies.py" "$@" > said 2>&1; }
accepts() { run check scratch; }
refuses() { # refuses CODE WORDS: with that exit code, these words and a hint
    run check scratch
    [ $? = "$1" ] && grep -q "$2" said && grep -q '^hint: ' said && ! grep -q Traceback said
}

pins 2.0.0
check "a lock is written from what was taken" run lock scratch
check "two lines, each with commit and tree" test "$(grep -c -E '^[a-z-]+ [0-9.]+ [0-9a-f]{40} [0-9a-f]{40} https://example.com/' deploy/dependencies.lock)" = 2
check "what was taken is what it has" accepts
cp deploy/dependencies.lock kept
pins 2.0.1
check "another version is refused" refuses 76 'two-kit 2.0.1'
pins 2.0.0
echo "let version = 2" > scratch/checkouts/two-kit/Source.swift
check "changed files are refused" refuses 76 'two-kit: files are not those of its commit'
check "and get into no lock" refused run lock scratch
check "which stays" cmp kept deploy/dependencies.lock
git -C scratch/checkouts/two-kit commit --quiet --all --message "Another"
check "another commit of the same version is refused" refuses 76 'two-kit 2.0.0'
run lock scratch
cp deploy/dependencies.lock kept
echo "let more = 1" > scratch/checkouts/One/More.swift
check "a further file is refused" refuses 76 'one: files are not those of its commit'
rm scratch/checkouts/One/More.swift
grep -v '^one ' kept > deploy/dependencies.lock
check "a package that the lock has not is refused" refuses 76 'one 1.0.0 is not in the lock'
cp kept deploy/dependencies.lock
echo "one 1.0.0 abc" >> deploy/dependencies.lock
check "a damaged line is named" refuses 65 'dependencies.lock:5'
cp kept deploy/dependencies.lock
echo "{" > Package.resolved
check "damaged pins are named" refuses 65 'Package.resolved cannot be read'

rm Package.resolved
check "without pins SwiftPM is given those of the lock" run pin
check "which it then has" accepts
pins 2.0.1
cp Package.resolved tried
check "a version that somebody tries" run pin
check "stays" cmp tried Package.resolved
python3 -c 'import json; pins = json.load(open("tried")); del pins["pins"][0]; json.dump(pins, open("Package.resolved", "w"))'
check "a package that is missing beside it" run pin
check "is added" sh -c 'grep -q "https://example.com/One.git" Package.resolved && grep -q 2.0.1 Package.resolved'
verdict
