#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest, with systemd: the installed service from the boot to a login. The keys are pressed at its terminal, by
# what its screen shows.
site=http://127.0.0.1:8480
user=gina@example.com pin=2583
explain() { screen; stty -a -F /dev/tty1; journalctl --unit=login-kiosk --no-pager --quiet --output=short-monotonic --lines=15; }
. ./common.sh

# another_page: the code of a page that has logged nobody in. Each is read once, and ends after five minutes.
another_page() {
    : > /tmp/cookie
    browse / > /dev/null
    browse /qr.png | png-to-clip /job/another
    echo "show /job/another" > /run/camera.ctl
}

# The console's own code for a shortened name's dots is no text to grep.
screen() { fold -w 80 /dev/vcs1 | sed 's/ *$//' | grep -a .; }
shows() { screen | grep -aq "$1"; }
press() { # press KEY...: at the kiosk's terminal, one after the other, as fingers do
    for key in "$@"; do
        perl -e 'use Fcntl; sysopen(T, "/dev/tty1", O_RDWR | O_NOCTTY) or die; ioctl(T, 0x5412, my $key = $ARGV[0]) or die' "$key"
        sleep 0.4
    done
}
enter=$(printf '\r')
scanner() { pgrep -f /usr/libexec/login-kiosk/login-kiosk-scanner; }
inside() { # inside COMMAND...: in the kiosk's control group, with its rights to devices
    sh -c 'echo $$ > /sys/fs/cgroup/system.slice/login-kiosk.service/cgroup.procs; exec "$@"' inside "$@"
}
exposure() { systemd-analyze security --no-pager --threshold=19 "$1"; }
kiosk() { runuser -u login-kiosk -- login-kiosk "$@"; }
backend() { runuser -u login-kiosk-backend -- login-kiosk-backend "$@" --state /var/lib/login-kiosk-backend; }

echo "== after the boot"
cat /job/prepared
check "the boot is done" within 120 sh -c 'systemctl is-system-running | grep -q -e running -e degraded'
check "no unit has failed" refused sh -c 'systemctl --failed --no-legend | grep .'
check "the kiosk runs" within 20 systemctl is-active login-kiosk
check "the backend runs" within 20 systemctl is-active login-kiosk-backend
check "the kiosk is exposed by 1.9 at most" exposure login-kiosk
check "the backend too" exposure login-kiosk-backend
check "systemd finds no mistake in the units" systemd-analyze verify login-kiosk.service login-kiosk-backend.service
check "the end of an installation does no harm to a running one" ./activate.sh
check "nothing is trusted yet, and the screen says so" within 60 shows "No trusted service configured"
check "and systemd has heard it" sh -c 'systemctl show login-kiosk -P StatusText | grep -q "no service is trusted yet"'
lean() { awk '/^VmHWM:/ { most = $2 } /^RssFile:/ { exit !($2 * 2 < most) }' "/proc/$(systemctl show login-kiosk -P MainPID)/status"; }
check "it has let go of code that only a start runs" within 20 lean
check "the settings have no mistake" login-kiosk config check
check "the doctor sees what is missing" sh -c 'runuser -u login-kiosk -- login-kiosk doctor > /tmp/doctor; [ $? = 1 ] && grep -q "^failure  trust" /tmp/doctor && grep -q "^failure  camera" /tmp/doctor'

echo "== the terminal, which the splash screen had at the boot"
began() { systemctl show "$1" -P "$2"; }
hides() { stty -a -F /dev/tty1 | grep -q -e '-icanon' && stty -a -F /dev/tty1 | grep -q -e '-echo '; }
check "a splash screen was shown" sh -c 'journalctl --no-pager -o cat -u plymouth-start | grep -q Started'
check "the kiosk waited for its end" test "$(began login-kiosk ExecMainStartTimestampMonotonic)" -ge "$(began plymouth-quit-wait ExecMainExitTimestampMonotonic)"
check "no splash screen is left" refused pgrep plymouthd
check "the terminal shows nothing that is typed" within 20 hides

echo "== a user is registered"
check "a host is trusted" login-kiosk trust add "${site#http://}"
main=$(systemctl show login-kiosk -P MainPID)
check "the settings are read again" systemctl kill --kill-who=main --signal=HUP login-kiosk
check "and the host counts" within 30 sh -c 'systemctl show login-kiosk -P StatusText | grep -q "no camera gives pictures"'
check "in the same process" test "$main" = "$(systemctl show login-kiosk -P MainPID)"
check "the journal knows what is a warning" sh -c 'journalctl --no-pager -o cat -u login-kiosk -p 4..4 | grep -q "^kiosk:.*no pictures"'
check "the kiosk is stopped" systemctl stop login-kiosk
check "the backend answers" within 60 busybox wget -q -O /dev/null "$site/"
kiosk enroll --backend "$site" --user $user --wait 0 > /tmp/enroll 2>&1
check "an activation mail is waited for" grep -q "open the link" /tmp/enroll
check "the registration is activated" backend activate $user
check "the user is registered" sh -c "echo $pin | runuser -u login-kiosk -- login-kiosk enroll --backend $site --user $user"
check "the kiosk is started" systemctl start login-kiosk
check "it waits for a camera" within 60 shows "The camera gives no picture"

if [ -e update.deb ]; then
    main=$(systemctl show login-kiosk -P MainPID)
    check "the files of an update are installed" dpkg --unpack --force-depends update.deb
    check "and the kiosk is the same" test "$(systemctl show login-kiosk -P MainPID)" = "$main"
fi

echo "== a camera is plugged in"
modprobe -a uvcvideo vhci_hcd
: > /tmp/cookie
browse / > /dev/null
check "a browser has a session" test -s /tmp/cookie
browse /qr.png | png-to-clip /job/code
fakecam --ctl /run/camera.ctl --fps 5 --name "Door Camera" /job/code 2> /tmp/fakecam &
(while sleep 1; do browse /session > /dev/null; done) 2> /dev/null &
page=$!
check "its link is there" within 30 test -c /dev/login-kiosk/camera
check "its link leads to the node with the pictures" test "$(readlink -f /dev/login-kiosk/camera)" = /dev/video0
usb=$(readlink -f /sys/class/video4linux/video0/device/..)
echo auto > "$usb/power/control"
udevadm trigger --action=change --settle "$usb"/*:1.0
check "it is never put to sleep" grep -q on "$usb/power/control"

echo "== a login"
check "the code is read, and consent is asked for" within 60 shows "Do you want to log in here"
check "the camera has the control that is configured" sh -c 'v4l2-ctl -d /dev/video0 -C brightness | grep -q 77'
check "the screen names the domain" shows "Domain: 127.0.0.1"
check "the scanner runs" scanner
main=$(systemctl show login-kiosk -P MainPID)
status=/proc/$(scanner)/status
check "as the kiosk's user" sh -c "ps -o user= -p $(scanner) | grep -q '^login-k'"
check "within the service's control group" sh -c "grep -q login-kiosk.service /proc/$(scanner)/cgroup"
check "in the service's own view of the files" test "$(readlink "/proc/$(scanner)/ns/mnt")" = "$(readlink "/proc/$main/ns/mnt")"
check "which is not the machine's" test "$(readlink "/proc/$main/ns/mnt")" != "$(readlink /proc/1/ns/mnt)"
check "with no way to new rights" grep -q 'NoNewPrivs:.*1' "$status"
check "without a capability" grep -q 'CapBnd:.*0000000000000000' "$status"
filters() { sed -n 's/Seccomp_filters:[^0-9]*//p' "/proc/$1/status"; }
check "with one system call filter more than the kiosk" test "$(filters "$(scanner)")" -gt "$(filters "$main")"
check "it may open the camera" inside sh -c ': < /dev/video0'
check "it may not open the disk" refused inside sh -c ': < /dev/vda'
check "to it the system is read-only" refused nsenter -t "$main" -m touch /etc/x /usr/x
check "it has no home directories" refused nsenter -t "$main" -m cat /root/secret
press "$enter"
check "the PIN is asked for" within 60 shows "Enter your PIN"
stty sane -F /dev/tty1
check "modes that another program set back are set again" within 20 hides
press 2 5
stty sane -F /dev/tty1
check "and again between two digits" within 20 hides
check "which are dropped, for keys may have been lost" within 20 refused sh -c "fold -w 80 /dev/vcs1 | grep -q '\*'"
press 2 5 8 3
check "four digits are typed, and none is shown" within 20 sh -c "fold -w 80 /dev/vcs1 | grep -q '\*\*\*\*'"
check "no digit is on the screen" refused grep -q $pin /dev/vcs1
if [ -e update.deb ]; then
    dpkg --configure --force-depends login-kiosk > /tmp/update 2>&1 &
    update=$!
    check "an update in the middle of a login waits" within 60 pgrep -x flock
    check "the kiosk is the same" test "$(systemctl show login-kiosk -P MainPID)" = "$main"
    check "the PIN is still asked for" shows "Enter your PIN"
fi
press "$enter"
check "the login succeeds" within 60 shows "Login successful"
logged_in() { browse /protected | grep -q "Hello.*$user"; }
check "the browser is logged in" within 60 logged_in
kill $page
check "the PIN is not in the journal" refused sh -c "journalctl --no-pager | grep -w $pin"
if [ -e update.deb ]; then
    wait $update
    check "the update ends after the login" sh -c 'dpkg-query --show --showformat="\${db:Status-Status}" login-kiosk | grep -x installed'
    check "with another kiosk" test "$(systemctl show login-kiosk -P MainPID)" != "$main"
    main=$(systemctl show login-kiosk -P MainPID)
    another_page
    check "which waits for nothing and reads the code again" within 60 shows "Do you want to log in here"
fi

echo "== it goes on"
kill -9 "$(scanner)"
check "a scanner that was killed is started again" within 30 scanner
another_page
kill -9 "$main"
check "a kiosk that was killed is started again" within 60 sh -c "[ \"\$(systemctl show login-kiosk -P MainPID)\" != $main ] && systemctl is-active login-kiosk"
check "and reads the code again" within 60 shows "Do you want to log in here"
main=$(systemctl show login-kiosk -P MainPID)
another_page
kill -STOP "$main"
check "a kiosk that hangs is started again" within 200 sh -c "[ \"\$(systemctl show login-kiosk -P MainPID)\" != $main ] && systemctl is-active login-kiosk"
check "and reads the code again after that" within 60 shows "Do you want to log in here"
check "the doctor finds nothing wrong" kiosk doctor --online
check "nor does it as root" login-kiosk doctor
modprobe kpsim
check "a GPIO chip belongs to the group gpio" within 10 sh -c '[ "$(stat -c %G:%a /dev/gpiochip0)" = gpio:660 ]'
check "the kiosk may open it" inside sh -c ': < /dev/gpiochip0'

echo "== a panel is connected"
state() { runuser -u login-kiosk -- login-kiosk status | grep "$@"; }
check "there is none" state -q "no panel shows the screen: no panel is connected"
modprobe bochs
check "the kiosk's screen is on it" within 120 state -q "the panel at card0-.* shows the screen: [0-9]*x[0-9]*"
drawing() { pgrep -f /usr/libexec/login-kiosk/login-kiosk-display; }
check "drawn by a process of the kiosk's user" sh -c "ps -o user= -p $(drawing) | grep -q '^login-k'"
main=$(systemctl show login-kiosk -P MainPID)
check "with one system call filter more than the kiosk" test "$(filters "$(drawing)")" -gt "$(filters "$main")"
check "and the doctor finds the panel" sh -c 'login-kiosk doctor | grep -q "^ok       display   card0-.* ([0-9]*x[0-9]*)"'
kill -9 "$(drawing)"
check "one that was killed is started again" within 120 state -q "shows the screen"

echo "== the guided first start of an image"
setup() { systemctl show login-kiosk-image-setup -P ActiveState | grep -qx "$1"; }
ended() { # ended NUMBER: whether login-kiosk-image-first was started so often, and was skipped or has finished
    [ "$(journalctl --no-pager --quiet -o cat -u login-kiosk-image-first | grep -c -e 'skipped' -e 'Finished')" = "$1" ]
}
cp login-kiosk-image-first.service login-kiosk-image-setup.service /etc/systemd/system/
cp 90-login-kiosk-image.rules /etc/udev/rules.d/
systemctl daemon-reload
udevadm control --reload
check "systemd finds no mistake in its units" systemd-analyze verify login-kiosk-image-first.service login-kiosk-image-setup.service
main=$(systemctl show login-kiosk -P MainPID)
modprobe -a evdev uinput
faketouch --ctl /run/touch.ctl --size 800x480 2> /tmp/faketouch &
check "a touch panel asks for it" within 60 ended 1
check "a kiosk that trusts a service goes on" test "$(systemctl show login-kiosk -P MainPID)" = "$main"
check "and nothing begins" setup inactive
echo unplug > /run/touch.ctl
mv /etc/login-kiosk/trusted /root/
echo plug > /run/touch.ctl
check "where nothing is trusted it begins" within 120 setup activating
check "in the kiosk's place" refused systemctl is-active login-kiosk
check "at the kiosk's console" within 120 shows "Language of the screens"
check "and on the panel" within 60 drawing
press "$(printf '\177')"
check "BACK leaves it" within 60 setup inactive
check "the kiosk runs again" within 120 shows "No trusted service configured"
check "nothing was written" test ! -e /etc/login-kiosk/trusted -a ! -e /etc/login-kiosk/config.d/80-setup.yaml
echo quit > /run/touch.ctl
mv /root/trusted /etc/login-kiosk/

echo "== the key sealed to this machine"
systemctl stop login-kiosk
mkdir -p /etc/credstore.encrypted
key=/var/lib/login-kiosk-key/identities.key
check "the key is sealed" systemd-creds encrypt --with-key=host --name=identities.key $key /etc/credstore.encrypted/identities.key
rm $key
another_page
systemctl start login-kiosk
# Names are shortened until the PIN was right.
check "the kiosk finds its identities with it" within 60 shows "User: g"
check "and made no new key" refused test -e $key

echo "== and ends"
check "the camera is unplugged" sh -c 'echo unplug > /run/camera.ctl'
check "its link goes" within 20 refused test -e /dev/login-kiosk/camera
check "the kiosk is stopped in time" timeout 10 systemctl stop login-kiosk
check "without a complaint" sh -c '[ "$(systemctl show login-kiosk -P Result)" = success ]'
check "the sandbox let the scanner lock itself out of files" refused sh -c 'journalctl --no-pager | grep "no Landlock"'
check "no thread was refused its priority" refused sh -c 'journalctl --no-pager -u login-kiosk -u login-kiosk-backend | grep "thread priority"'
verdict
