# SPDX-License-Identifier: Apache-2.0
"""What clients are let loose on: one backend on SQLite, or two on one PostgreSQL behind HAProxy."""

import glob
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

from patience import until  # noqa: E402: the folder is named above

CONFIGURATION = os.path.join(os.path.dirname(__file__), "../../deploy/fleet/haproxy.cfg")
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"}
# Seconds until something that does not begin or end is given up.
PATIENCE = 120


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Server:
    """A program that runs until it is told to end, with a log of its own."""

    def __init__(self, log, *command, **options):
        self.log = log
        with open(log, "ab") as file:
            self.process = subprocess.Popen(
                command, env=ENVIRONMENT, stdout=file, stderr=subprocess.STDOUT, **options)

    def await_answer(self, url):
        def answers():
            if self.process.poll() is not None:
                with open(self.log, encoding="utf-8", errors="replace") as file:
                    raise AssertionError(f"{self.process.args[0]} ended: {file.read()[-2000:]}")
            try:
                with urllib.request.urlopen(url, timeout=10) as answer:
                    return answer.status == 200
            except OSError:
                return False
        until(answers, url)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Database:
    """PostgreSQL on a socket in a folder of its own; for root as the package's user, because it refuses root."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "postgres")
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda name: int(name.split("/")[4]))[-1]
        os.mkdir(self.folder, 0o700)
        self.user = []
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.user = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups", "--"]
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "--username=postgres",
                  f"--pgdata={self.folder}/data")
        self.server = Server(
            os.path.join(folder, "postgres.log"), *self.user, f"{self.programs}/postgres", "-D", f"{self.folder}/data",
            "-k", self.folder, "-c", "listen_addresses=", "-c", "shared_buffers=32MB", cwd="/")
        until(lambda: subprocess.run(
            [*self.user, f"{self.programs}/pg_isready", "--quiet", f"--host={self.folder}"],
            cwd="/", check=False).returncode == 0, "PostgreSQL")

    def make(self, name):
        """A database, as --database takes it."""
        self._run("createdb", f"--host={self.folder}", "--username=postgres", name)
        return f"host={self.folder} dbname={name} user=postgres"

    def end(self):
        self.server.end(signal.SIGINT)

    def _run(self, program, *arguments):
        done = subprocess.run([*self.user, f"{self.programs}/{program}", *arguments],
                              cwd="/", capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{program}: exit {done.returncode}: {done.stderr}")


class OneProcess:
    name = "one process"

    def __init__(self, program, folder, options):
        self.folder = folder
        self.program = program
        self.state = os.path.join(folder, "state")
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        # As the management commands take them as well.
        self.shared = ["--state", self.state]
        self.servers = []
        try:
            self.start(options)
        except BaseException:
            self.end()
            raise

    def start(self, options):
        self._serve(self.state, self.port, options)

    def _serve(self, state, port, options):
        backend = Server(
            os.path.join(self.folder, f"{os.path.basename(state)}.log"), self.program, *self.shared, "--state", state,
            "--listen", f"127.0.0.1:{port}", "--public-url", self.origin, "--public-outbox", "--admit", "anybody", *options)
        self.servers.append(backend)
        backend.await_answer(f"http://127.0.0.1:{port}/readyz")

    def shares(self):
        """How many requests each process had, where several share them."""
        return []

    def end(self):
        for server in reversed(self.servers):
            server.end()


class TwoProcesses(OneProcess):
    """HAProxy with the configuration that operators are given, but for names, addresses and who is next: each process
    in turn, so that what a client begins at one it goes on with at the other."""

    name = "HAProxy, two processes"
    next_one = "roundrobin"

    def start(self, options):
        database = Database(self.folder)
        self.servers.append(database)
        self.shared += ["--database", database.make("kiosk")]
        ports = [free_port(), free_port()]
        options = [*options, "--trusted-proxy", "127.0.0.1"]
        self._serve(self.state, ports[0], options)
        second = self.state + "-of-the-second"
        shutil.copytree(self.state, second, ignore=shutil.ignore_patterns("outbox-address"))
        self._serve(second, ports[1], options)
        balancer = Server(os.path.join(self.folder, "haproxy.log"), "haproxy", "-db", "-f", self._configure(ports))
        self.servers.append(balancer)
        balancer.await_answer(self.origin + "/readyz")

    def _configure(self, ports):
        with open(CONFIGURATION, encoding="utf-8") as file:
            text = file.read()
        changes = [("    stats socket /run/haproxy/admin.sock mode 660 level admin\n", ""),
                   ("    user haproxy\n    group haproxy\n    daemon\n", ""),
                   ("log /dev/log local0", "log stdout format raw local0"),
                   ("bind :80\n", f"bind 127.0.0.1:{self.port}\n"),
                   ("bind 127.0.0.1:9480\n", f"bind 127.0.0.1:{free_port()}\n"), ("balance leastconn", f"balance {self.next_one}"),
                   ("192.0.2.11:8480", f"127.0.0.1:{ports[0]}"), ("192.0.2.12:8480", f"127.0.0.1:{ports[1]}")]
        for old, new in changes:
            if text.count(old) != 1:
                raise AssertionError(f"{CONFIGURATION} has {old!r} not once")
            text = text.replace(old, new)
        name = os.path.join(self.folder, "haproxy.cfg")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def shares(self):
        with open(os.path.join(self.folder, "haproxy.log"), encoding="utf-8") as file:
            served = re.findall(r" backends/(backend[12]) ", file.read())
        return [served.count("backend1"), served.count("backend2")]


class LeastBusyOfTwo(TwoProcesses):
    """Who is next is as operators are given it, too: the process with fewer connections, and in turn where none has."""

    name = "HAProxy, the least busy of two"
    next_one = "leastconn"
