#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: speech at a sound card, of which test.sh has a recording afterwards.
. ./common.sh
. ./pads.sh
. ./backend.sh

keys() { echo "type $1" > /run/one.ctl; }
# Notes what the program for speech is told now, and all of it, and goes on as that program.
printf '#!/bin/sh\n{ echo "$*"; tee /tmp/words; } | tee -a /tmp/all > /tmp/told\nexec /usr/bin/espeak-ng "$@" < /tmp/words\n' > /usr/local/bin/espeak-ng
chmod +x /usr/local/bin/espeak-ng
quiet() { ! pgrep -x espeak-ng; }
plays() { grep -q RUNNING /proc/asound/card0/pcm0p/sub0/status; }
hears_out() { # hears_out COMMAND...: it makes the kiosk speak, and speech has ended
    within 60 quiet
    rm -f /tmp/told
    "$@"
    within 60 test -s /tmp/told && within 120 quiet
}
spell() { # spell DIGITS: what is heard of each
    for digit in $(echo "$1" | sed 's/./& /g'); do
        hears_out keys "$digit" || echo nothing
        cat /tmp/told
    done
}

echo "== a sound card"
modprobe -a snd_hda_intel snd_hda_codec_generic
check "it is there" within 20 test -c /dev/snd/pcmC0D0p
check "it is listed" sh -c './login-kiosk devices | grep -A 1 "sound card" | grep -q "speech-device: plughw:CARD="'
check "and speech needs no program" refused sh -c './login-kiosk devices | grep "speech needs"'

echo "== a user of the reference backend"
serve
modprobe -a uvcvideo vhci_hcd
fakecam --ctl /run/camera.ctl --fps 5 --size 640x480 dave 2> /tmp/fakecam &
within 30 test -c /dev/video0
input_drivers
plug_keys /run/one.ctl --uinput --name DoorPad

echo "== the scan screen"
run evdev:name=DoorPad camera --speech loudspeaker
check "the kiosk waits for a code" shows "Scan the login QR code"
keys 5
check "5 makes the card play" within 60 plays
check "to an end" within 120 quiet
check "it is told the screen" grep -q "Scan the login QR code" /tmp/all

echo "== a login"
come
browse /qr.png | png-to-clip /tmp/code
check "the consent is heard" hears_out sh -c 'echo "show /tmp/code" > /run/camera.ctl'
check "and seen" shows "Do you want to log in here"
check "so is the question for the PIN" hears_out keys E
check "which is seen, too" shows "Enter your PIN"
spell 7491 > /tmp/wrong
check "four digits are heard" test "$(grep -c '^Digits: [1234]' /tmp/wrong)" = 4 -a "$(grep -c nothing /tmp/wrong)" = 0
check "by their count alone" refused grep -E '[79]' /tmp/wrong
for _ in 1 2 3 4; do hears_out keys B; done
spell $pin > /tmp/right
check "other digits are told in the same bytes" cmp /tmp/wrong /tmp/right
check "the end is heard" hears_out keys E
check "and the login succeeds" shows "Login successful"
leave
stop
echo quit > /run/camera.ctl
echo quit > /run/one.ctl
verdict
