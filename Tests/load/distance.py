#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A login far away: the swarm and HAProxy with TLS are in two network namespaces, 30 ms each way between them.

usage: distance.py DIRECTORY-OF-PROGRAMS [MILLISECONDS-EACH-WAY], in namespaces of its own: make bench-distance

The line is a pair of TUN devices whose packets are held back here, because not every kernel has netem.
"""

import ctypes
import fcntl
import json
import os
import queue
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

from patience import end, reaches, until  # noqa: E402: the folder is named above
from programs import Backend, Files  # noqa: E402

PROGRAMS, DELAY = sys.argv[1], float((sys.argv[2:] or ["30"])[0]) / 1000
NEAR, FAR = "10.78.0.1", "10.78.0.2"
LOGINS = 20
HAPROXY = """
defaults
    mode http
    timeout connect 2s
    timeout client 30s
    timeout server 30s
frontend login
    bind %s:443 ssl crt %s/pem alpn %s
    option forwardfor if-none
    default_backend backends
backend backends
    http-reuse never
    server backend 127.0.0.1:8480
"""


def end_of_line(address):
    """The end in the namespace that this thread is in: a file of packets (TUNSETIFF, IFF_TUN and IFF_NO_PI)."""
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, 0x400454CA, struct.pack("16sH22x", b"line", 0x1001))
    for command in (f"address add {address}/24 dev line", "link set line up", "link set lo up"):
        subprocess.run(["ip", *command.split()], check=True)
    return device


def carry(source, target):
    """Each packet that comes out of one end goes into the other one when its time is over."""
    packets = queue.Queue()

    def deliver():
        while True:
            due, packet = packets.get()
            time.sleep(max(0, due - time.monotonic()))
            os.write(target, packet)

    threading.Thread(target=deliver, daemon=True).start()
    while True:
        packet = os.read(source, 65536)
        packets.put((time.monotonic() + DELAY, packet))


def swarm(directory, browsers):
    """The median from the last digit to the outcome, and to the page's greeting, in milliseconds."""
    output = subprocess.run(
        [f"{PROGRAMS}/login-kiosk-dev", "swarm", "--backend", f"https://{FAR}", "--ca-file", f"{directory}/certificate",
         "--operator-password-file", f"{directory}/milagro/operator-password", "--kiosks", "4", "--browsers", str(browsers),
         "--rate", "0.5", "--for", str(LOGINS / 0.5), "--json"], stdout=subprocess.PIPE, check=True).stdout
    report = json.loads(output)
    assert report["logged_in"] == LOGINS and not any(report["faults"].values()), report
    outcome = report["last_digit_to_outcome"]["p50"]
    return round(1000 * outcome), round(1000 * (outcome + report["outcome_to_page"].get("p50", 0)))


with tempfile.TemporaryDirectory() as directory:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=far", "-addext", f"subjectAltName=IP:{FAR}", "-keyout", f"{directory}/key",
         "-out", f"{directory}/certificate"], check=True, stderr=subprocess.DEVNULL)
    with open(f"{directory}/pem", "w", encoding="ascii") as file:
        for part in ("certificate", "key"):
            file.write(open(f"{directory}/{part}", encoding="ascii").read())
    far = end_of_line(FAR)
    here = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    backend = Backend(Files(directory, PROGRAMS), "milagro", "--listen", "127.0.0.1:8480", "--public-url", f"https://{FAR}",
                      "--trusted-proxy", "127.0.0.1")
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.unshare(0x40000000) == 0, os.strerror(ctypes.get_errno())  # CLONE_NEWNET
    near = end_of_line(NEAR)
    there = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    for ends in ((near, far), (far, near)):
        threading.Thread(target=carry, args=ends, daemon=True).start()
    for protocols in ("http/1.1", "h2,http/1.1"):
        with open(f"{directory}/haproxy.cfg", "w", encoding="ascii") as file:
            file.write(HAPROXY % (FAR, directory, protocols))
        libc.setns(here, 0)
        haproxy = subprocess.Popen(["haproxy", "-db", "-f", f"{directory}/haproxy.cfg"])
        libc.setns(there, 0)
        until(lambda: reaches(FAR, 443), "HAProxy")
        outcome, greeting = swarm(directory, 4)
        alone, _ = swarm(directory, 0)
        print(f"{2000 * DELAY:.0f} ms there and back, TLS, {protocols.split(',')[0]}, medians of {LOGINS} logins from the "
              f"last digit: outcome {outcome} ms, page {greeting} ms; without a page {alone} ms", flush=True)
        end(haproxy)
    backend.end()
