#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests on emulated arm64, in the checkout that is the working folder. As root.
#
#   test.sh SCRATCH [PART...]       SCRATCH is the cross compiler's; without a PART all are run
#
#   vectors     the cryptography against the known answers: as a user program, and in the machine
#   code        the fields' code: no branch and no look-up that depends on a value
#   secrets     in the machine, under Valgrind: branches and addresses that depend on a secret
#   modules     in the machine: the unit tests of the modules below
#   scanner     in the machine: the scanner's own tests, its filter of system calls and Landlock with them
#   login       in the machine: the demonstration, from the kiosk's start to the browser that is logged in
#   devices     in the machine: a virtual camera, GPIO lines, an input device
#   idle        in the machine: what kiosk and scanner hold in memory at the idle screen
#   figures     only if named: what programs weigh, and what operations and a start cost in instructions
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 1 ] || { sed -n '3,16s/^# \{0,1\}//p' "$0" >&2; exit 64; }
. "$here/../../deploy/cross/parts.sh"
scratch=$1
shift
parts=${*:-vectors code secrets scanner login modules devices idle}
kiosk="login-kiosk login-kiosk-scanner"
modules=LoginValues,MPinCrypto,KioskPorts,KioskMachine,Scanning,Capture,GPIO,Keypads,SQLiteStore,CurlTransport
build=$here/../../deploy/cross/build.sh
optimised=$scratch/aarch64-unknown-linux-gnu/release
# In a folder of their own, as what their programs are compiled with differs.
tested=$scratch-tests/aarch64-unknown-linux-gnu/release tests=$scratch-tests/aarch64-unknown-linux-gnu/release/login-kioskPackageTests.xctest
vectors=Tests/SDK/MPinCryptoTests/Vectors

"$here/setup.sh"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

programs() { # programs NAME...: builds them optimised, as `make cross` does, so that what it built serves
    local program
    for program in "$@"; do
        # Unquoted on purpose: several words.
        # shellcheck disable=SC2086
        "$build" "$scratch" ${SHIPPED:---configuration release --static-swift-stdlib} --product "$program"
    done
}
job() { # job FILE...: a folder for the machine
    rm -rf "$work/job"
    mkdir "$work/job"
    [ $# = 0 ] || cp -a "$@" "$work/job/"
}
stripped() { # stripped PROGRAM...: adds them to the machine's folder
    local program
    for program in "$@"; do aarch64-linux-gnu-strip -o "$work/job/$program" "$optimised/$program"; done
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
    programs login-kiosk-dev
    "$here/run.sh" "'$optimised/login-kiosk-dev' vectors $vectors"
    job "$vectors"
    stripped login-kiosk-dev
    "$here/machine.sh" "$work/job" 600 "./login-kiosk-dev vectors Vectors"
}

test_code() {
    programs login-kiosk-dev
    python3 -B "$here/field-code.py" aarch64-linux-gnu-objdump "$optimised/login-kiosk-dev"
}

test_secrets() {
    programs login-kiosk-dev
    job "$here/../constant-time.supp" "$cache/valgrind/usr"
    # The names of functions stay: the list of exceptions has one.
    aarch64-linux-gnu-strip -g -o "$work/job/login-kiosk-dev" "$optimised/login-kiosk-dev"
    "$here/machine.sh" "$work/job" 1200 "cp -a usr /
        valgrind --quiet --log-file=/tmp/log --suppressions=constant-time.supp ./login-kiosk-dev constant-time"
}

# Optimised: that is what is shipped, and what the tests' limits of time allow where each instruction is emulated.
unit_tests() { # builds those of all modules, into one program
    "$here/../only.sh" "$modules,login-kiosk-scanner" "$scratch-tests/package"
    "$build" "$scratch-tests" --package-path "$scratch-tests/package" --configuration release --build-tests \
        -Xswiftc -enable-testing
}

test_program() { # the unit tests, as a folder for the machine
    unit_tests
    # The machine's screens are compared with their page, which the tests look for beside their own source.
    job "$tested"/*.resources docs/kiosk.md
    aarch64-linux-gnu-strip -o "$work/job/$(basename "$tests")" "$tests"
    libraries "$tests"
}
run_tests() { # run_tests SECONDS PREPARATION OPTIONS: the program of all modules' tests, in the machine, with options of Testing
    "$here/machine.sh" "$work/job" "$1" "echo /job > /etc/ld.so.conf.d/job.conf; ldconfig
        $2
        ./$(basename "$tests") --testing-library swift-testing --no-parallel $3"
}

test_modules() {
    test_program
    local top
    top=$(realpath "$scratch-tests/package")
    run_tests 5400 "mkdir -p '$top/Tests/Kiosk/KioskMachineTests' '$top/docs'; cp kiosk.md '$top/docs/'" "--skip '^login_kiosk_scannerTests[.]'"
}

test_scanner() {
    test_program
    cp "$tested/login-kiosk-scanner" "$work/job/"
    libraries "$tested/login-kiosk-scanner"
    # Compiles here what these tests compile themselves: the machine has no compiler.
    intruder=$here/../preloaded/intruder.c
    enter "$cache/compiler" "/usr/libexec/swift/bin/clang --target=aarch64-linux-gnu --sysroot='$cache/sysroot' \
        -fuse-ld=lld -shared -fPIC -O1 -Wall -o '$scratch/intruder.so' '$intruder'"
    # The kernel's own table of calls, which the filter is held against.
    cp "$scratch/intruder.so" "$cache/sysroot/usr/include/asm-generic/unistd.h" "$work/job/"
    cat > "$work/job/cc" <<'CC'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
cp /job/intruder.so "$2"
CC
    chmod +x "$work/job/cc"
    run_tests 1800 "cp cc /usr/bin/cc; mkdir -p /usr/include/asm-generic; cp unistd.h /usr/include/asm-generic/" \
        "--filter '^login_kiosk_scannerTests[.]'"
}

test_login() {
    programs $kiosk login-kiosk-backend login-kiosk-demo
    job
    stripped $kiosk login-kiosk-backend login-kiosk-demo
    "$here/machine.sh" "$work/job" 600 "time ./login-kiosk demo --unattended"
}

test_devices() {
    programs login-kiosk-scanner login-kiosk-dev
    job "$here/devices.sh" "$here/../devices/messages.pl"
    for script in common scanner vivid pads; do cp "$here/../devices/$script.sh" "$work/job/"; done
    stripped login-kiosk-scanner login-kiosk-dev
    local code=0
    "$here/machine.sh" "$work/job" 1200 "./devices.sh camera" || code=$?
    CLOCK=counted "$here/machine.sh" "$work/job" 900 "./devices.sh ports" || code=$?
    return "$code"
}

idle_kiosk() { # a folder with a kiosk and what looks at it
    programs $kiosk
    job "$here/idle.sh" "$here/until-ready.pl"
    for script in common pads; do cp "$here/../devices/$script.sh" "$work/job/"; done
    stripped $kiosk
}

test_idle() {
    idle_kiosk
    "$here/machine.sh" "$work/job" 600 "./idle.sh memory"
}

test_figures() {
    idle_kiosk
    programs login-kiosk-backend login-kiosk-demo login-kiosk-dev
    stripped login-kiosk-backend login-kiosk-demo login-kiosk-dev
    echo "stripped programs, in bytes:"
    (cd "$work/job" && stat --format='%s %n' login-kiosk*)
    rm "$work/job/login-kiosk-backend" "$work/job/login-kiosk-demo"
    # A nanosecond of this machine is an instruction.
    CLOCK=counted "$here/machine.sh" "$work/job" 1800 "./idle.sh start
        echo 'instructions of an operation, where it says ns:'
        ./login-kiosk-dev bench --only crypto"
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
