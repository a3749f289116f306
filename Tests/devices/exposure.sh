# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A camera whose regulation makes a code too bright to be read; part of cameras.sh, after scanner.sh.
echo "== a code in bad light"
mode() { v4l2-ctl -d /dev/video0 -C auto_exposure | grep -q ": $1"; } # mode 1|3: set by somebody, or the camera's own
varied() { within 60 mode 1; }
unread() { # unread SOURCE: pictures come, and none is read
    scan "$1"
    gets_frames && sleep 15 && ! grep -q symbol /tmp/said && gets_frames
    result=$?
    stop
    return $result
}
plug_camera dave $one 0 --fps 10 --name "Hall Camera" --serial C3 --exposure 160
within 30 test -c /dev/video0
code=camera,format=YUYV:/dev/video0
check "not read with the exposure left to the camera" unread camera,format=YUYV,vary-exposure=false:/dev/video0
check "the camera was left alone" refused grep -q "exposure" /tmp/fakecam
scan $code
check "read with another exposure" sees dave 90
check "which was a shorter one" grep -q "exposure 40" /tmp/fakecam
check "the regulation has it back, while the code is read no more" within 20 mode 3
check "varied again" varied
stop
check "the regulation has it back after a signal" mode 3
scan $code
check "varied before a pause" varied
order 2
check "the camera is let go" within 10 lets_go /dev/video0
check "the regulation has it back in a pause" mode 3
stop
scan $code
check "varied before the end" varied
order 4
check "the scanner ends" within 20 refused alive
check "the regulation has it back at the end" mode 3
stop
v4l2-ctl -d /dev/video0 -c auto_exposure=1 -c exposure_time_absolute=200
check "not read with an exposure that somebody has set" unread $code
check "which stays" sh -c 'v4l2-ctl -d /dev/video0 -C exposure_time_absolute | grep -q ": 200"'
v4l2-ctl -d /dev/video0 -c auto_exposure=3
# The code is soon read, and then the camera has its exposure back: a crash in between takes some tries. The scanner's
# last word is what counts: one that crashed before it said what it has taken leaves nobody who would give it back.
crash() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        v4l2-ctl -d /dev/video0 -c auto_exposure=3
        scan $code
        pause=0.02 within 60 test -s /tmp/taken
        kill -9 "$(scanner)"
        stop
        note=$(cat /tmp/taken)
        test -n "$note" && mode 1 && return
    done
    return 1
}
check "a crash amid leaves it varied" crash
scan camera,format=YUYV,vary-exposure=false:/dev/video0 --give-back "$note"
check "the next process gives it back" within 20 mode 3
check "and says so" says "taken count=0"
stop
tell $one quit
within 20 sh -c '! test -e /dev/video0'
