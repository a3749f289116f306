#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest: the scanner's process, confined as always, on real device nodes.
#
#   cameras.sh CYCLES      how often a camera is unplugged and plugged in again while it streams
cycles=$1
. ./common.sh
. ./scanner.sh

one=/run/one.ctl two=/run/two.ctl
modprobe -a uvcvideo vhci_hcd

echo "== a USB camera"
plug_camera alice $one 0 --fps 10 --name "Door Camera" --serial A1 --size 640x480 --size 320x240
within 30 test -c /dev/video0
within 10 test -e /dev/v4l/by-path
check "read as it comes" reads camera alice
check "read as YUYV" reads camera,format=YUYV alice
check "read as MJPG" reads camera,format=MJPG alice
check "read by its device file" reads /dev/video0 alice
check "read by its place" reads "$(ls /dev/v4l/by-path/*video-index0 | head -n 1)" alice
check "read by its name" reads "camera:door cam" alice
check "a control is set" reads camera,brightness=77 alice
check "the driver has it" sh -c 'v4l2-ctl -d /dev/video0 -C brightness | grep -q 77'
check "a value out of range is refused with the range" refuses camera,brightness=300 "give 0 to 255"
check "an unknown control is refused with those it has" refuses camera,zoom=1 "it has: brightness"
check "a format that it does not have" refuses camera,format=NV12 "choose from"
check "the metadata node is explained" refuses /dev/video1 "delivers data about pictures, not pictures"
check "a camera that is not there" waits camera:Nobody "plug the camera in"
tell $one "stall-commit on"
check "a refused start" refuses camera "did not start its stream"
tell $one "stall-commit off"
tell $one "stall-probe on"
check "a refused format" refuses camera,size=320x240,format=YUYV "did not accept the format"
tell $one "stall-probe off"
started=$(grep -c "stream starts" /tmp/fakecam)
v4l2-ctl -d /dev/video0 --stream-mmap > /dev/null 2>&1 &
holder=$!
within 10 sh -c "test \$(grep -c 'stream starts' /tmp/fakecam) -gt $started"
sleep 1
check "a camera in use" waits camera "in use"
if [ -x ./login-kiosk ]; then
    ./login-kiosk scan > /tmp/scan 2>&1
    check "the parent says who has it" sh -c "cat /tmp/scan; grep -q 'video0 is held by v4l2-ctl (process $holder)' /tmp/scan"
fi
kill $holder
wait $holder 2> /dev/null

echo "== faults while it streams"
for format in YUYV MJPG; do
    scan camera,format=$format
    check "$format: read" sees alice
    tell $one "show bob"
    check "$format: another picture" sees bob
    tell $one "show alice"
    for fault in error truncate garbage freeze; do
        tell $one "$fault on"
        sleep 3
        tell $one "$fault off"
        check "$format: read again after $fault" sees alice 30
    done
    check "$format: the same process all the time" alive
    stop
done

echo "== frames of which none can be decoded"
scan camera,format=MJPG
check "read before" sees alice
tell $one "garbage on"
check "they are told" says "health waiting .*none can be decoded" 40
check "and counted" says "stats .* damaged=[1-9]"
tell $one "garbage off"
check "read again" sees alice 40
check "the same process all the time" alive
stop
tell $one "show carol"
scan camera,format=MJPG
check "spare bytes before the markers, as of many webcams: read" sees carol
check "and counted" says "stats .* flawed=[1-9]"
stop
tell $one "show alice"

echo "== paused"
scan camera
check "read before" sees alice
order 2
check "the camera is let go" within 10 lets_go /dev/video0
start=$(uptime_ms)
order 3
check "read after" sees alice
check "the same process all the time" alive
echo "      from the command to the code: $(since "$start" symbol) ms"
stop

echo "== confined"
scan camera
check "the kernel keeps it from other files" says "hello .*confines-files=1"
stop
mkdir /tmp/links
ln -s "$PWD/alice/640x480.mjpg" /tmp/links/1.jpg
check "a link does not lead out of its source" refuses dir:/tmp/links "Permission denied"

echo "== unplugged and plugged in again, $cycles times"
scan camera
check "read before" sees alice
before=$(descriptors)
detected=0 opened=0 read=0 returned=0 n=0
while [ $n -lt "$cycles" ]; do
    n=$((n + 1))
    : > /tmp/said
    start=$(uptime_ms)
    tell $one unplug
    says "health waiting" 10 && within 10 sh -c '! test -e /dev/video0' || break
    detected=$(longest $detected "$(since "$start" "health waiting")")
    sleep 0.3
    : > /tmp/said
    tell $one plug
    within 30 test -c /dev/video0 || break
    start=$(uptime_ms)
    says symbol.*alice 30 || break
    opened=$(longest $opened "$(since "$start" "health running")")
    read=$(longest $read "$(since "$start" symbol)")
    returned=$((returned + 1))
done
check "read again every time" test $returned = "$cycles"
echo "      at most: $detected ms from the command to unplug to the report; from the device file $opened ms until it is"
echo "      open again, $read ms until the code is read"
check "no descriptor is left open: $before before, $(descriptors) after" test "$(descriptors)" -le "$before"
stop
if [ -x ./login-kiosk ]; then
    ./login-kiosk scan --json >> /tmp/events 2> /tmp/scan &
    program=$!
    check "the program reads" within 30 grep -q '"event":"symbol"' /tmp/events
    : > /tmp/events
    tell $one unplug
    check "it says that the camera is missing" within 20 grep -q '"trouble":"missing"' /tmp/events
    : > /tmp/events
    tell $one plug
    # Shows another code: it would not print again the one that it printed a moment ago.
    tell $one "show bob"
    check "it reads again" within 30 grep -q 'bob' /tmp/events
    check "it says that pictures come, and from which camera" grep -q '"camera":"Door Camera' /tmp/events
    tell $one "show alice"
    kill $program
    wait $program 2> /dev/null
fi

echo "== an infrared camera before another"
tell $one unplug
within 20 sh -c '! test -e /dev/video0'
plug_camera bob $two 1 --fps 10 --name "Yard IR Camera"
within 30 test -c /dev/video0
tell $one plug
within 30 test -c /dev/video2
scan camera
check "the infrared one is named" says "passed over Yard IR Camera.*(/dev/video0): sees infrared light only"
check "the other one is read" sees alice
stop
scan "camera:Yard IR"
check "by its name it is read" sees bob
stop
if [ -x ./login-kiosk ]; then
    check "the doctor names it" sh -c './login-kiosk doctor --source camera > /tmp/doctor; grep "^ok .*passed over: Yard IR Camera" /tmp/doctor'
fi
tell $two quit
tell $one unplug
within 20 sh -c '! test -e /dev/video0 && ! test -e /dev/video2'
tell $one plug
within 30 test -c /dev/video0

echo "== two cameras that swap places"
plug_camera bob $two 1 --fps 10 --name "Yard Camera" --serial B2
within 30 test -c /dev/video2
scan "camera:Door Camera"
check "the named one is read" sees alice
tell $one unplug
tell $two unplug
within 20 sh -c '! test -e /dev/video0 && ! test -e /dev/video2'
tell $two plug
within 30 test -c /dev/video0
sleep 2
tell $one plug
within 30 test -c /dev/video2
check "it is read in its new place" sees alice 30
check "the other one is not" sh -c '! grep -q bob /tmp/said'
stop
scan /dev/video0
check "by the device file it is the other one" sees bob
tell $two unplug
within 20 sh -c '! test -e /dev/video0'
tell $one unplug
within 20 sh -c '! test -e /dev/video2'
tell $one plug
check "an exchanged camera is reported" says "health failed.*was Yard Camera.*is now Door Camera" 30
stop
tell $one quit
tell $two quit
within 20 sh -c '! test -e /dev/video0'

. ./exposure.sh

echo "== v4l2loopback"
modprobe v4l2loopback video_nr=9 card_label=Loop exclusive_caps=1
within 10 test -c /dev/video9
fakecam --ctl $one --out /dev/video9 --format GREY --fps 10 alice 2>> /tmp/fakecam &
within 10 sh -c 'v4l2-ctl -d /dev/video9 -D | grep -q "Video Capture"'
check "read as GREY" reads /dev/video9 alice
tell $one quit

. ./vivid.sh

if [ -x ./login-kiosk ]; then
    echo "== login-kiosk devices"
    check "the camera and its formats" sh -c './login-kiosk devices | grep -A 3 "/dev/video20: vivid" | grep -q "delivers.*YUYV"'
    check "as JSON" sh -c './login-kiosk devices --json | grep -q "\"node\":\"/dev/video20\""'
fi
verdict
