# SPDX-License-Identifier: Apache-2.0
"""What serves people: PostgreSQL, HAProxy, the backends; and servers that answer nothing, to see what is sent twice."""

import csv
import glob
import http.client
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess

from world import ADDRESSES, NAME, end, path, run, until, write

CONFIGURATION = os.path.join(os.path.dirname(__file__), "../../deploy/fleet/haproxy.cfg")
DATABASE = (f"host=db.fleet.test dbname=kiosk user=kiosk passfile={path('pgpass')} sslrootcert={path('ca.pem')}")
PASSWORD = "only-for-this-run"
# Seconds that a backend serves on after SIGTERM: longer than a device waits for its browser.
DRAIN_TIME = 15


class Database:
    """PostgreSQL as another machine's: by TLS and a password, as a user of its own."""

    def __init__(self, machine):
        self.machine = machine
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda name: int(name.split("/")[4]))[-1]
        self.folder = path("postgres")
        self.process = None
        owner = pwd.getpwnam("postgres")
        os.mkdir(self.folder, 0o700)
        os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.user = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups", "--"]
        run(*self.user, f"{self.programs}/initdb", "--no-sync", "--auth=peer", "--encoding=UTF8", "--locale=C",
            f"--pgdata={self.data}", cwd="/")
        for kind in ("crt", "key"):
            shutil.copy(path(f"db.fleet.test.{kind}"), self.folder)
            os.chown(f"{self.folder}/db.fleet.test.{kind}", owner.pw_uid, owner.pw_gid)
            os.chmod(f"{self.folder}/db.fleet.test.{kind}", 0o600)
        with open(f"{self.data}/pg_hba.conf", "a", encoding="utf-8") as file:
            file.write(f"hostssl kiosk kiosk {ADDRESSES['db']}/24 scram-sha-256\n")
        write(path("pgpass"), f"db.fleet.test:5432:kiosk:kiosk:{PASSWORD}\n")
        self.start()
        self.sql(f"CREATE USER kiosk PASSWORD '{PASSWORD}'")
        self.sql("CREATE DATABASE kiosk OWNER kiosk")

    @property
    def data(self):
        return f"{self.folder}/data"

    def start(self):
        self.process = self.machine.start(
            *self.user, f"{self.programs}/postgres", "-D", self.data, "-k", self.folder, "-c", "listen_addresses=*",
            "-c", "ssl=on", "-c", f"ssl_cert_file={self.folder}/db.fleet.test.crt",
            "-c", f"ssl_key_file={self.folder}/db.fleet.test.key", "-c", "shared_buffers=32MB",
            cwd="/", stdout=open(path("postgres.log"), "ab"), stderr=subprocess.STDOUT)
        until(lambda: subprocess.run(
            [*self.user, f"{self.programs}/pg_isready", "--quiet", f"--host={self.folder}"],
            cwd="/", check=False).returncode == 0, "PostgreSQL")

    def sql(self, text):
        return run(*self.user, f"{self.programs}/psql", "-h", self.folder, "-d", "postgres", "-c", text, cwd="/")

    def stop(self):
        """As an administrator does who does not wait for those who are connected."""
        end(self.process, signal.SIGINT)

    def crash(self):
        """As a power cut does: what is UNLOGGED is gone."""
        end(self.process, signal.SIGQUIT)

    def pause(self):
        self._signal(signal.SIGSTOP)

    def go_on(self):
        self._signal(signal.SIGCONT)

    def _signal(self, number):
        # Each connection's process leads a group of its own.
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as file:
            children = [int(child) for child in file.read().split()]
        for process in [self.process.pid, *children]:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                continue


class Balancer:
    """HAProxy with the configuration that operators are given, but for names, addresses and the certificate."""

    SOCKET = "/run/haproxy/admin.sock"

    def __init__(self, machine, *changes):
        self.machine = machine
        self.changes = changes
        self.process = None
        with open(path(NAME + ".pem"), "w", encoding="utf-8") as whole:
            for kind in ("crt", "key"):
                with open(path(f"{NAME}.{kind}"), encoding="utf-8") as part:
                    whole.write(part.read())

    def configure(self, pinned):
        with open(CONFIGURATION, encoding="utf-8") as file:
            text = file.read()
        text = text.replace("login.example.com", NAME).replace(f"/etc/haproxy/{NAME}.pem", path(NAME + ".pem"))
        # As the comments tell the operator.
        changes = [("    #bind :443", "    bind :443"), ("    #http-request redirect", "    http-request redirect"),
                   ("log /dev/log local0", "log stdout format raw local0"),
                   ("192.0.2.11:8480", ADDRESSES["backend1"] + ":8480"),
                   ("192.0.2.12:8480", ADDRESSES["backend2"] + ":8480"), *self.changes]
        for old, new in changes:
            if text.count(old) != 1:
                raise AssertionError(f"{CONFIGURATION} has {old!r} not once")
            text = text.replace(old, new)
        for kiosk, backend in pinned.items():
            text += f"    use-server {backend} if {{ src {ADDRESSES[kiosk]} }}\n"
        write(path("haproxy.cfg"), text)

    def check(self):
        """What HAProxy says about the file that operators are given, as it is."""
        return run("haproxy", "-c", "-V", "-f", CONFIGURATION)

    def start(self, pinned=None):
        """Starts it; `pinned` names for some machines the backend that they are to be served by."""
        self.configure(pinned or {})
        self.process = self.machine.start(
            "haproxy", "-db", "-f", path("haproxy.cfg"),
            stdout=open(path("haproxy.log"), "ab"), stderr=subprocess.STDOUT)
        until(lambda: self.ask("show info") or self.process.poll() is not None, "HAProxy")
        if self.process.poll() is not None:
            raise AssertionError(f"HAProxy ended with {self.process.returncode}")

    def stop(self):
        end(self.process)

    def ask(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(self.SOCKET)
            except OSError:
                return ""
            connection.sendall(command.encode() + b"\n")
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def states(self):
        """Of each backend, as HAProxy sees it: UP, DOWN and what is in between."""
        rows = csv.DictReader(self.ask("show stat").removeprefix("# ").splitlines())
        return {row["svname"]: row["status"] for row in rows if row["svname"] in ADDRESSES}

    def successes(self, machine):
        """How many POSTs of a machine were answered with 200."""
        with open(path("haproxy.log"), encoding="utf-8") as file:
            return len(re.findall(rf"^{re.escape(machine.address)}:.* POST 200 ", file.read(), re.MULTILINE))

    def await_state(self, state, *backends):
        until(lambda: all(self.states().get(backend) == state for backend in backends), f"{backends} being {state}")


class Backend:
    """One of several processes that serve as one."""

    def __init__(self, programs, machine):
        self.program = os.path.join(programs, "login-kiosk-backend")
        self.machine = machine
        self.state = path(machine.name)
        self.log = path(machine.name + ".log")
        self.process = None

    @property
    def name(self):
        return self.machine.name

    def start(self):
        self.process = self.machine.start(
            self.program, "--listen", f"{self.machine.address}:8480", "--public-url", f"https://{NAME}",
            "--state", self.state, "--database", DATABASE, "--trusted-proxy", ADDRESSES["lb"],
            "--drain-time", str(DRAIN_TIME), "--log-level", "info", "--metrics-port", "9480",
            stdout=open(self.log, "ab"), stderr=subprocess.STDOUT)

    def is_ready(self):
        """As it says itself; HAProxy hears of it later."""
        connection = http.client.HTTPConnection(self.machine.address, 8480, timeout=10)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def command(self, *arguments):
        return self.machine.run(self.program, *arguments, "--state", self.state, "--database", DATABASE)

    def failures(self, user):
        """How many wrong PINs in a row are counted."""
        listed = json.loads(self.command("users", "--json"))["users"]
        return {one["userID"]: one["failures"] for one in listed}[user]

    def judged(self):
        """How many PINs this process has judged."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return len(re.findall("login judged$", file.read(), re.MULTILINE))


class Mute:
    """Says at /readyz that it is ready, takes every other request and closes the connection without an answer."""

    def __init__(self, machine):
        self.heard = path(machine.name + ".heard")
        self.process = machine.start(
            "python3", "-B", os.path.join(os.path.dirname(__file__), "mute.py"), machine.address,
            stdout=open(self.heard, "wb"))

    def count(self, request):
        with open(self.heard, encoding="utf-8") as file:
            return file.read().splitlines().count(request)
