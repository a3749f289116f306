#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes what `make install` put into a running system count: users, device rules, units. Needs root; enables nothing.
set -eu

if [ "$(id -u)" -ne 0 ]; then
    echo "activate: users and device rules need root" >&2
    echo "hint: sudo deploy/activate.sh" >&2
    exit 77
fi
if [ ! -d /run/systemd/system ]; then
    echo "activate: systemd does not run here, so there is nothing to activate" >&2
    exit 0
fi
systemd-sysusers
systemd-tmpfiles --create login-kiosk.conf
udevadm control --reload
udevadm trigger --action=change --subsystem-match=gpio --subsystem-match=video4linux --subsystem-match=dma_heap \
    --subsystem-match=usb
systemctl daemon-reload
echo "installed; next: login-kiosk trust add HOST, login-kiosk doctor, systemctl enable --now login-kiosk"
