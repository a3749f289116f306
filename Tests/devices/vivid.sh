# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The scanner's process on the kernel's test pattern, in every format that is read, and with the errors that its driver makes
# on demand; after scanner.sh.
echo "== vivid"
modprobe vivid n_devs=1 node_types=0x1 num_inputs=2 input_types=0x04 vid_cap_nr=20
within 10 test -c /dev/video20
for format in $(v4l2-ctl -d /dev/video20 --list-formats | sed -n "s/.*'\(....\)'.*/\1/p" |
    grep -xE 'YUYV|UYVY|YVYU|VYUY|NV12|NV21|NV16|NV61|NV24|YU12|YV12|422P|GREY|RGB3|BGR3|RGBP|BA81'); do
    check "frames as $format" streams "camera,format=$format,size=640x360:/dev/video20"
done
# Its input for television delivers two fields in turn, whatever is asked for.
v4l2-ctl -d /dev/video20 -i 1 > /dev/null
check "frames in fields" streams camera:/dev/video20
v4l2-ctl -d /dev/video20 -i 0 > /dev/null
inject() { # inject CONTROL=VALUE: a test of an error that does not happen must not pass
    v4l2-ctl -d /dev/video20 -c "$1" && return
    failed=$((failed + 1))
    echo "FAIL  vivid does not take $1"
}
inject inject_vidioc_streamon_error=1
check "an injected error of STREAMON costs a size" passes_over /dev/video20 "does not start in 640 x 480"
inject inject_vidioc_reqbufs_error=1
check "so does one of REQBUFS" passes_over /dev/video20 "does not start in 640 x 480"
# Its gain with the regulation off, as a scanner leaves it that crashed.
v4l2-ctl -d /dev/video20 -c gain_automatic=0 -c gain=7
scan /dev/video20 --give-back 9963795:100:0,9963794:1:2
check "the regulation of its gain is given back" within 20 sh -c 'v4l2-ctl -d /dev/video20 -C gain_automatic | grep -q ": 1"'
stop
scan /dev/video20
check "frames come" gets_frames
inject percentage_of_dropped_buffers=50
check "frames come while half of them are lost" gets_frames
inject percentage_of_dropped_buffers=0
inject inject_vidioc_qbuf_error=1
check "frames come after an error of QBUF" gets_frames
inject inject_fatal_streaming_error=1
check "frames come after a fatal error" gets_frames
check "the same process all the time" alive
: > /tmp/said
echo vivid.0 > /sys/bus/platform/drivers/vivid/unbind
check "the driver was taken away, and the device is let go" within 20 lets_go /dev/video20
echo vivid.0 > /sys/bus/platform/drivers/vivid/bind
check "it is opened again" says "health running" 30
check "frames come after the driver was taken away" gets_frames
stop
