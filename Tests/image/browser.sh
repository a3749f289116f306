#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the machine: a backend, and a browser that waits for its login.
#
#   browser enroll | camera | logged-in
set -eu
site=http://127.0.0.1:8480
user=gina@example.com pin=2580
mkdir -p /run/trial
cd /run/trial
browse() { curl --silent --cookie-jar cookie --cookie cookie "$site$1"; }
enroll() { runuser -u login-kiosk -- login-kiosk enroll --backend $site --user $user "$@"; }
case $1 in
enroll)
    systemd-run --quiet --unit=trial-backend login-kiosk-backend --listen 127.0.0.1:8480 --state /run/trial/backend
    tries=300
    until curl --silent --output /dev/null $site/; do
        tries=$((tries - 1))
        [ $tries -gt 0 ]
        sleep 1
    done
    systemctl stop login-kiosk
    enroll --wait 0 || true
    login-kiosk-backend activate $user --state /run/trial/backend
    echo $pin | enroll
    systemctl start login-kiosk
    echo enrolled
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
logged-in) browse /protected | grep -q "Hello.*$user" ;;
esac
