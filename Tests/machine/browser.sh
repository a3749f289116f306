#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the machine: a backend, and a browser that waits for its login.
#
#   browser backend | enroll | camera | logged-in | away
set -eu
site=http://127.0.0.1:8480
user=gina@example.com pin=2583
mkdir -p /run/trial
cd /run/trial
browse() { curl --silent --cookie-jar cookie --cookie cookie "$site$1"; }
enroll() { runuser -u login-kiosk -- login-kiosk enroll --backend $site --user $user "$@"; }
backend() {
    systemctl is-active --quiet trial-backend ||
        systemd-run --quiet --unit=trial-backend login-kiosk-backend --listen 127.0.0.1:8480 --state /var/tmp/trial-backend \
            --code-lifetime 300 --admit anybody
    tries=300
    until curl --silent --output /dev/null $site/; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || { journalctl --no-pager --lines 5 --unit trial-backend; exit 1; }
        sleep 1
    done
}
case $1 in
backend) backend ;;
enroll)
    backend
    systemctl stop login-kiosk
    enroll --wait 0 || true
    login-kiosk-backend activate $user --state /var/tmp/trial-backend
    echo $pin | enroll
    systemctl start login-kiosk
    ;;
camera)
    modprobe -a uvcvideo vhci_hcd
    browse / > /dev/null
    mkdir -p code
    browse /qr.png | png-to-clip code
    systemd-run --quiet --unit=trial-camera fakecam --ctl /run/trial/camera.ctl --fps 5 --name "Door Camera" /run/trial/code
    systemd-run --quiet --unit=trial-browser sh -c "while sleep 2; do
        curl --silent --output /dev/null --cookie-jar /run/trial/cookie --cookie /run/trial/cookie $site/session; done"
    ;;
away)
    systemctl stop trial-browser trial-camera
    rm -rf cookie code
    ;;
logged-in) browse /protected | grep -q "Hello.*$user" ;;
esac
