# SPDX-License-Identifier: Apache-2.0
"""The servers of the clients: one backend on SQLite, or two on one PostgreSQL behind HAProxy."""

import os
import re
import shutil
import subprocess
import sys
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

from examples import example  # noqa: E402: the folder is named above
from patience import end, until  # noqa: E402
from postgresql import PostgreSQL  # noqa: E402
from programs import ENVIRONMENT, free_port  # noqa: E402


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
        # The call that ends each program, in the order of their starts.
        self.ends = []
        try:
            self.start(options)
        except BaseException:
            self.end()
            raise

    def start(self, options):
        self._serve(self.state, self.port, options)

    def _serve(self, state, port, options):
        self._run(
            f"http://127.0.0.1:{port}/readyz", os.path.basename(state), self.program, *self.shared, "--state", state,
            "--listen", f"127.0.0.1:{port}", "--public-url", self.origin, "--public-outbox", "--admit", "anybody", *options)

    def _run(self, url, name, *command):
        """Starts a program with a log, and waits until it answers."""
        log = os.path.join(self.folder, f"{name}.log")
        with open(log, "ab") as file:
            process = subprocess.Popen(command, env=ENVIRONMENT, stdout=file, stderr=subprocess.STDOUT)
        self.ends.append(lambda: end(process))

        def answers():
            if process.poll() is not None:
                with open(log, encoding="utf-8", errors="replace") as file:
                    raise AssertionError(f"{name} ended: {file.read()[-2000:]}")
            try:
                with urllib.request.urlopen(url, timeout=10) as answer:
                    return answer.status == 200
            except OSError:
                return False

        until(answers, url)

    def shares(self):
        """The number of requests of each process, where several share them."""
        return []

    def end(self):
        for action in reversed(self.ends):
            action()


class TwoProcesses(OneProcess):
    """HAProxy with the configuration that operators are given, but for names, addresses and who is next: each process
    in turn, so that what a client begins at one it goes on with at the other."""

    name = "HAProxy, two processes"
    next_one = "roundrobin"

    def start(self, options):
        database = PostgreSQL(os.path.join(self.folder, "postgres"))
        self.ends.append(database.stop)
        database.initialize()
        database.start(os.path.join(self.folder, "postgres.log"), "-c", "listen_addresses=")
        database.sql("CREATE DATABASE kiosk")
        self.shared += ["--database", f"host={database.folder} dbname=kiosk user={database.OWNER}"]
        ports = [free_port(), free_port()]
        options = [*options, "--trusted-proxy", "127.0.0.1"]
        self._serve(self.state, ports[0], options)
        second = self.state + "-of-the-second"
        shutil.copytree(self.state, second, ignore=shutil.ignore_patterns("outbox-address"))
        self._serve(second, ports[1], options)
        self._run(self.origin + "/readyz", "haproxy", "haproxy", "-db", "-f", self._configure(ports))

    def _configure(self, ports):
        text = example(
            "haproxy.cfg", ("    stats socket /run/haproxy/admin.sock mode 660 level admin\n", ""),
            ("    user haproxy\n    group haproxy\n    daemon\n", ""),
            ("log /dev/log local0", "log stdout format raw local0"), ("bind :80\n", f"bind 127.0.0.1:{self.port}\n"),
            ("bind 127.0.0.1:9480\n", f"bind 127.0.0.1:{free_port()}\n"),
            ("balance leastconn", f"balance {self.next_one}"), ("192.0.2.11:8480", f"127.0.0.1:{ports[0]}"),
            ("192.0.2.12:8480", f"127.0.0.1:{ports[1]}"), once=True)
        name = os.path.join(self.folder, "haproxy.cfg")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def shares(self):
        with open(os.path.join(self.folder, "haproxy.log"), encoding="utf-8") as file:
            served = re.findall(r" backends/(backend[12]) ", file.read())
        return [served.count("backend1"), served.count("backend2")]


class LeastBusyOfTwo(TwoProcesses):
    """Chooses the next process as in the file for operators: that with fewer connections, and in turn where none has."""

    name = "HAProxy, the least busy of two"
    next_one = "leastconn"
