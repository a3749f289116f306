# SPDX-License-Identifier: Apache-2.0
"""Machines: network namespaces with an address each, all plugged into one bridge, and what runs in them."""

import ctypes
import os
import subprocess
import threading

from patience import end, hears, reaches, until  # noqa: F401
from programs import ENVIRONMENT, attempt, run

FOLDER = "/run/fleet"
NAME = "login.fleet.test"
CLONE_NEWNET = 0x40000000
ADDRESSES = {
    "lb": "10.77.0.10", "backend1": "10.77.0.11", "backend2": "10.77.0.12", "db": "10.77.0.20", "db2": "10.77.0.23",
    "dta1": "10.77.0.21", "dta2": "10.77.0.22",
    "kiosk1": "10.77.0.31", "kiosk2": "10.77.0.32", "kiosk3": "10.77.0.33",
}
# Name and port of each D-TA.
AUTHORITIES = [("dta1.fleet.test", 8490), ("dta2.fleet.test", 443)]
# The machine that has the certificate for each name.
SERVERS = {NAME: "lb", **{f"{machine}.fleet.test": machine for machine in ("db", "db2", "dta1", "dta2")}}
# Browsers stand in the namespace that has the bridge.
OFFICE = "10.77.0.1"


def path(*names):
    return os.path.join(FOLDER, *names)


def write(name, text, mode=0o600):
    with open(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as file:
        file.write(text)


class Machine:
    """A network namespace."""

    def __init__(self, name):
        self.name = name
        self.address = ADDRESSES[name]
        # Comes before each command that is run there.
        self.enter = ["ip", "netns", "exec", name]
        run("ip", "netns", "add", name)
        run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", name, "master", "fleet")
        run("ip", "-n", name, "address", "add", f"{self.address}/24", "dev", "eth0")
        for link in ("lo", "eth0"):
            run("ip", "-n", name, "link", "set", link, "up")
        self.plug_in()

    def ask_resolver(self, address, hosts):
        """Asks a resolver for all names but those of `hosts`, lines as of /etc/hosts."""
        files = {"hosts": hosts, "resolv.conf": f"nameserver {address}\n", "nsswitch.conf": "hosts: files dns\n"}
        steps = []
        for name, text in files.items():
            write(path(f"{self.name}-{name}"), text, 0o644)
            steps.append(f"mount --bind {path(self.name)}-{name} /etc/{name}")
        self.enter += ["unshare", "--mount", "sh", "-c", " && ".join([*steps, 'exec "$0" "$@"'])]

    def plug_in(self):
        run("ip", "link", "set", self.name, "up")

    def unplug(self):
        run("ip", "link", "set", self.name, "down")

    def fall_silent(self):
        """Takes nothing and answers nothing, as behind a router that drops what is meant for it."""
        self.run("nft", "add table inet silence; add chain inet silence input"
                 " { type filter hook input priority 0; policy drop; }")

    def speak(self):
        self.run("nft", "delete table inet silence")

    def run(self, *command, **options):
        return run(*self.enter, *command, **options)

    def attempt(self, *command, **options):
        return attempt(*self.enter, *command, **options)

    def start(self, *command, **options):
        """Starts a program, whose number is that of the process."""
        return subprocess.Popen(
            [*self.enter, *command], env=ENVIRONMENT, start_new_session=True, **options)

    def within(self, action):
        """The result of `action` on a thread that is in this machine's network."""
        found = []

        def enter():
            with open(f"/run/netns/{self.name}", encoding="ascii") as namespace:
                if ctypes.CDLL(None).setns(namespace.fileno(), CLONE_NEWNET) == 0:
                    found.append(action())

        thread = threading.Thread(target=enter)
        thread.start()
        thread.join()
        if not found:
            raise AssertionError(f"nothing was done at {self.name}")
        return found[0]


def build():
    """The bridge, the machines, their names, and a certificate authority that all of them believe."""
    # Whatever is written from here on is in memory and goes with the namespaces.
    run("mount", "-t", "tmpfs", "-o", "size=1g,mode=755", "fleet", "/run")
    for folder in ("netns", "haproxy", "fleet"):
        os.mkdir(f"/run/{folder}", 0o755)
    lines = [f"{ADDRESSES[machine]} {name}\n" for name, machine in SERVERS.items()]
    write(path("hosts"), "".join(["127.0.0.1 localhost\n", *lines]), 0o644)
    run("mount", "--bind", path("hosts"), "/etc/hosts")
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "fleet", "type", "bridge")
    run("ip", "address", "add", f"{OFFICE}/24", "dev", "fleet")
    run("ip", "link", "set", "fleet", "up")
    openssl = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc",
               "-days", "2"]
    run(*openssl, "-subj", "/CN=fleet", "-keyout", path("ca.key"), "-out", path("ca.pem"))
    for name in SERVERS:
        run(*openssl, "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
            "-addext", "basicConstraints=CA:FALSE", "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
            "-keyout", path(name + ".key"), "-out", path(name + ".crt"))
    return {name: Machine(name) for name in ADDRESSES}
