# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Logins in the machine of machine.sh: a backend in there, a USB camera that shows the code of its page, a PIN at the USB keyboard.
# Sourced by tests after machine.sh.

# compiled FOLDER: the programs of the device tests that make a camera, for the machine's architecture, and `browser`.
compiled() {
    local devices=$top/Tests/devices/tools into=$1/usr/local/bin
    mkdir -p "$into"
    cp "$top/Tests/machine/browser.sh" "$into/browser"
    if [ "$architecture" = "$(dpkg --print-architecture)" ]; then
        gcc -O2 -Wall -static -o "$into/fakecam" "$devices/fakecam.c"
        gcc -O2 -Wall -static -o "$into/png-to-clip" "$devices/png-to-clip.c" -lpng -ljpeg -lz -lm
    else
        # By the compiler of `make cross`. What these load the kiosk's package depends on, too.
        "$top/deploy/cross/setup.sh"
        (
            . "$top/deploy/cross/parts.sh"
            cd "$into"
            cp "$devices"/{fakecam,png-to-clip}.c .
            for tool in "fakecam.c -o fakecam" "png-to-clip.c -o png-to-clip -lpng -ljpeg -lz -lm"; do
                BINDS=$into enter "$cache/compiler" "/usr/libexec/swift/bin/clang --target=aarch64-linux-gnu \
                    --sysroot='$cache/sysroot' -fuse-ld=lld -O2 -Wall $tool"
            done
            rm ./*.c
        )
    fi
}
# hand_in FOLDER: what is below its usr, to the machine's, where that has none.
hand_in() {
    tar --create --directory "$1" --owner 0 --group 0 --mode 755 usr | limit=600 inside 'tar --extract --directory / --skip-old-files'
}
# log_in: a browser's page before the camera, OK, the PIN at the keyboard, until the browser is in.
log_in() {
    limit=300 inside browser camera > "$work/camera" 2>&1
    check "the code is read, and consent is asked for" until_done 300 shows "Do you want to log in here"
    picture "$folder/consent-$architecture.png"
    keys ret
    check "the PIN is asked for" until_done 120 shows "Enter your PIN"
    keys 2 5 8 3
    check "four digits are typed, and none is shown" until_done 60 shows '\*\*\*\*'
    picture "$folder/pin-$architecture.png"
    # That screen stands for some seconds: on a busy machine a look from outside comes too late.
    limit=300 inside "for _ in \$(seq 1000); do : > /run/trial/looking; fold -w 80 /dev/vcs1 | grep -a -q 'Login successful' && exit
        sleep 0.2; done; exit 1" &
    local looks=$!
    until_done 120 inside rm /run/trial/looking
    keys ret
    check "the login succeeds" wait "$looks"
    picture "$folder/login-$architecture.png"
    check "the browser is logged in" until_done 120 inside browser logged-in
    # A code that stays before the camera is read again, and an update waits until the person has answered.
    inside browser away
}
