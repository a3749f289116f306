#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest before systemd does: installs the kiosk, as a package's own script would.
set -eu
[ ! -d /job/installed ] || cp -a /job/installed/. /
# The libraries of the machine that built the programs, in place of the packages that they come from.
mkdir -p /usr/local/lib
cp -a /job/lib/. /usr/local/lib/
ldconfig
mount -t tmpfs tmpfs /run
if [ -d /job/packages ]; then
    # Their dependencies are there as libraries, not as packages.
    dpkg --install --force-depends /job/packages/*.deb
    rm -r /job/packages
else
    systemd-sysusers login-kiosk.conf login-kiosk-backend.conf
fi
# A trial on one machine, where the backend speaks http.
printf 'log-level: notice\nnetwork:\n  allow-loopback-http: true\n' > /etc/login-kiosk/config.d/10-trial.yaml
printf 'camera:\n  controls: {brightness: 77}\n' > /etc/login-kiosk/config.d/20-camera.yaml
# The emulated machine is slow: its page's code stays.
mkdir -p /etc/default
printf 'BACKEND_OPTIONS=--code-lifetime 300 --admit anybody\n' > /etc/default/login-kiosk-backend
systemctl enable login-kiosk login-kiosk-backend
# The panel is connected when service.sh loads its driver.
echo "blacklist bochs" > /etc/modprobe.d/panel.conf
umount /run
echo secret > /root/secret
