#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests on emulated arm64, in the checkout that is the working folder. As root.
#
#   test.sh SCRATCH [PART...]       SCRATCH is the cross compiler's; without a PART all are run
#
#   vectors     the cryptography against the known answers: as a user program, and in the machine
#   code        the fields' code: no branch and no look-up that depends on a value
#   secrets     in the machine, under Valgrind: branches and addresses that depend on a secret
#   rooms       the unit tests of ROOMS below, as user programs
#   scanner     in the machine: the scanner's own tests, its filter of system calls and Landlock with them
#   login       in the machine: the demonstration, from the kiosk's start to the browser that is logged in
#   devices     in the machine: a virtual camera, GPIO lines, an input device
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 1 ] || { sed -n '3,14s/^# \{0,1\}//p' "$0" >&2; exit 64; }
. "$here/../../deploy/cross/parts.sh"
scratch=$1
shift
parts=${*:-vectors code secrets scanner login rooms devices}
rooms=LoginValues,MPinCrypto,KioskCore,Scanning,Capture,GPIO,Keypads,SQLiteStore,CurlTransport
build=$here/../../deploy/cross/build.sh
optimised=$scratch/aarch64-unknown-linux-gnu/release debug=$scratch/aarch64-unknown-linux-gnu/debug
tests=$debug/login-kioskPackageTests.xctest
vectors=Tests/MPinCryptoTests/Vectors

"$here/setup.sh"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs() { # programs NAME...: builds them optimised
    local program
    for program in "$@"; do
        LOGIN_KIOSK_ONLY=$(echo "$*" | tr ' ' ,) "$build" "$scratch" --configuration release --static-swift-stdlib \
            --product "$program"
    done
}
job() { # job FILE...: a folder for the machine
    rm -rf "$work/job"
    mkdir "$work/job"
    [ $# = 0 ] || cp -a "$@" "$work/job/"
}
libraries() { # libraries PROGRAM: those of Swift that it loads, and theirs, to the job's folder
    local name
    aarch64-linux-gnu-objdump -p "$1" | sed -n 's/^ *NEEDED *//p' | while read -r name; do
        [ -e "$cache/compiler/arm64/usr/libexec/swift/lib/swift/linux/$name" ] || continue
        [ ! -e "$work/job/$name" ] || continue
        cp "$cache/compiler/arm64/usr/libexec/swift/lib/swift/linux/$name" "$work/job/"
        libraries "$work/job/$name"
    done
}

test_vectors() {
    programs login-kiosk-vectors
    "$here/run.sh" "'$optimised/login-kiosk-vectors' $vectors"
    job "$vectors"
    aarch64-linux-gnu-strip -o "$work/job/login-kiosk-vectors" "$optimised/login-kiosk-vectors"
    "$here/machine.sh" "$work/job" 600 "./login-kiosk-vectors Vectors"
}

test_code() {
    programs login-kiosk-vectors
    python3 -B "$here/field-code.py" aarch64-linux-gnu-objdump "$optimised/login-kiosk-vectors"
}

test_secrets() {
    programs login-kiosk-constant-time
    job "$here/../constant-time.supp" "$cache/valgrind/usr"
    # The names of functions stay: the list of exceptions has one.
    aarch64-linux-gnu-strip -g -o "$work/job/login-kiosk-constant-time" "$optimised/login-kiosk-constant-time"
    "$here/machine.sh" "$work/job" 1200 "cp -a usr /
        valgrind --quiet --log-file=/tmp/log --suppressions=constant-time.supp ./login-kiosk-constant-time"
}

unit_tests() { # builds those of all rooms, into one program
    LOGIN_KIOSK_ONLY=$rooms,login-kiosk-scanner "$build" "$scratch" --build-tests
}

test_rooms() {
    unit_tests
    "$here/run.sh" "'$tests' --testing-library swift-testing --no-parallel --skip '^login_kiosk_scannerTests[.]'"
}

test_scanner() {
    unit_tests
    job "$debug/login-kiosk-scanner"
    aarch64-linux-gnu-strip -o "$work/job/$(basename "$tests")" "$tests"
    libraries "$tests"
    # What these tests compile themselves is compiled here: the machine has no compiler.
    intruder=$here/../preloaded/intruder.c
    enter "$cache/compiler" "/usr/libexec/swift/bin/clang --target=aarch64-linux-gnu --sysroot='$cache/sysroot' \
        -fuse-ld=lld -shared -fPIC -O1 -Wall -o '$scratch/intruder.so' '$intruder'"
    cp "$scratch/intruder.so" "$work/job/"
    cat > "$work/job/cc" <<'CC'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
cp /job/intruder.so "$2"
CC
    chmod +x "$work/job/cc"
    "$here/machine.sh" "$work/job" 1800 "echo /job > /etc/ld.so.conf.d/job.conf; ldconfig; cp cc /usr/bin/cc
        ./login-kioskPackageTests.xctest --testing-library swift-testing --no-parallel --filter '^login_kiosk_scannerTests[.]'"
}

test_login() {
    programs login-kiosk login-kiosk-scanner
    job
    for program in login-kiosk login-kiosk-scanner; do
        aarch64-linux-gnu-strip -o "$work/job/$program" "$optimised/$program"
    done
    "$here/machine.sh" "$work/job" 600 "time ./login-kiosk demo --unattended"
}

test_devices() {
    programs login-kiosk-scanner login-kiosk-portcheck
    job "$here/devices.sh" "$here/../devices/messages.pl"
    for script in common scanner vivid pads; do cp "$here/../devices/$script.sh" "$work/job/"; done
    for program in login-kiosk-scanner login-kiosk-portcheck; do
        aarch64-linux-gnu-strip -o "$work/job/$program" "$optimised/$program"
    done
    "$here/machine.sh" "$work/job" 1200 "./devices.sh"
}

failed=
for part in $parts; do
    say "== $part"
    # Not within `if`: a shell goes on after errors there.
    set +e
    (set -e; "test_$part")
    [ $? = 0 ] || failed="$failed $part"
    set -e
done
[ -z "$failed" ] || { echo "arm64: failed:$failed" >&2; exit 1; }
