# SPDX-License-Identifier: Apache-2.0
"""The servers: PostgreSQL, PgBouncer, HAProxy, D-TAs, backends; and servers that answer nothing: what is sent
twice?"""

import contextlib
import csv
import glob
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess

from examples import EXAMPLES, example
from postgresql import PostgreSQL
from world import ADDRESSES, AUTHORITIES, NAME, OFFICE, end, path, reaches, run, until, write

PASSWORD = "only-for-this-run"
# Seconds that a backend serves on after SIGTERM: longer than a device waits for its browser.
DRAIN_TIME = 15


class Database(PostgreSQL):
    """PostgreSQL as another machine's: by TLS and a password, as a user of its own. `name` is the database's and its
    owner's. With a `primary` it is the standby of that one, and its address names both."""

    def __init__(self, machine, name, primary=None):
        self.machine = machine
        self.name = name
        self.host = f"{machine.name}.fleet.test"
        passwords = path(f"{machine.name}.pgpass")
        # As docs/high-availability.md tells the operator.
        hosts = f"{primary.host},{self.host}" if primary else self.host
        self.address = (f"host={hosts} dbname={name} user={name} passfile={passwords}"
                        f" sslrootcert={path('ca.pem')}")
        super().__init__(path(machine.name))
        for kind in ("crt", "key"):
            shutil.copy(path(f"{self.host}.{kind}"), self.folder)
            self.give(f"{self.folder}/{self.host}.{kind}")
            os.chmod(f"{self.folder}/{self.host}.{kind}", 0o600)
        write(passwords, f"*:*:{name}:{name}:{PASSWORD}\n")
        if primary:
            self.follow(primary)
            return
        self.initialize()
        with open(f"{self.data}/pg_hba.conf", "a", encoding="utf-8") as file:
            for database, user in ((name, name), ("replication", "standby")):
                file.write(f"hostssl {database} {user} {machine.address}/24 scram-sha-256\n")
        self.start()
        self.sql(f"CREATE USER standby REPLICATION PASSWORD '{PASSWORD}'")
        self.sql(f"CREATE USER {name} PASSWORD '{PASSWORD}'")
        self.sql(f"CREATE DATABASE {name} OWNER {name}")

    def start(self):
        super().start(
            path(f"{self.machine.name}.log"), "-c", "listen_addresses=*", "-c", "ssl=on",
            "-c", f"ssl_cert_file={self.folder}/{self.host}.crt", "-c", f"ssl_key_file={self.folder}/{self.host}.key",
            launch=self.machine.start)

    def follow(self, primary):
        """Starts it again as a standby, which has what the primary told to have been written."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.machine.run(
            *self.user, f"{self.programs}/pg_basebackup", f"--pgdata={self.data}", "--write-recovery-conf",
            "--checkpoint=fast", "--no-sync",
            f"--dbname=host={primary.host} user=standby password={PASSWORD} sslmode=verify-full"
            f" sslrootcert={path('ca.pem')}", cwd="/")
        self.start()
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("SELECT pg_reload_conf()")
        until(lambda: primary.value("SELECT sync_state FROM pg_stat_replication") == "sync", "the standby")

    def value(self, query):
        """The only one, of the database's tables."""
        return self.sql(query, self.name, "-q", "-A", "-t").strip()

    @contextlib.contextmanager
    def without_verdicts(self):
        """Holds up transactions that count a verdict until this ends."""
        self.value("CREATE FUNCTION login_kiosk.hold() RETURNS trigger LANGUAGE plpgsql AS"
                 " 'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END'")
        self.value("CREATE TRIGGER hold BEFORE UPDATE ON login_kiosk.identity FOR EACH ROW"
                 " WHEN (NEW.verdicts <> OLD.verdicts) EXECUTE FUNCTION login_kiosk.hold()")
        command = [f"{self.programs}/psql", "-h", self.folder, "-U", self.OWNER, "-d", self.name, "-q", "-A", "-t"]
        with subprocess.Popen([*self.user, *command], cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as shell:
            shell.stdin.write("BEGIN; SELECT pg_advisory_xact_lock(7)::text || 'taken';\n")
            shell.stdin.flush()
            if shell.stdout.readline() != "taken\n":
                raise AssertionError("the verdicts cannot be held")
            yield
            shell.stdin.close()
        self.value("DROP FUNCTION login_kiosk.hold() CASCADE")

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


class Pooler:
    """PgBouncer on the database's machine, by TLS on both sides. `mode` says what a client keeps: a session of the
    server, or one for each transaction."""

    PORT = 6432

    def __init__(self, database, mode):
        self.address = f"{database.address} port={self.PORT}"
        write(f"{database.folder}/users", f'"{database.name}" "{PASSWORD}"\n', 0o644)
        certificate = f"{database.folder}/{database.host}"
        write(f"{database.folder}/pgbouncer.ini", f"""
[databases]
{database.name} = host={database.host}
[pgbouncer]
listen_addr = {database.machine.address}
listen_port = {self.PORT}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {database.folder}/users
client_tls_sslmode = require
client_tls_cert_file = {certificate}.crt
client_tls_key_file = {certificate}.key
server_tls_sslmode = verify-full
server_tls_ca_file = {path("ca.pem")}
pool_mode = {mode}
""", 0o644)
        self.process = database.machine.start(
            *database.user, "pgbouncer", f"{database.folder}/pgbouncer.ini",
            cwd="/", stdout=open(path("pgbouncer.log"), "ab"), stderr=subprocess.STDOUT)
        until(lambda: reaches(database.host, self.PORT), "PgBouncer")


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
        # As the comments tell the operator.
        text = example(
            "haproxy.cfg", ("/etc/haproxy/login.example.com.pem", path(NAME + ".pem")),
            ("    #bind :443", "    bind :443"), ("    #http-request redirect", "    http-request redirect"),
            ("log /dev/log local0", "log stdout format raw local0"),
            ("192.0.2.11:8480", ADDRESSES["backend1"] + ":8480"), ("192.0.2.12:8480", ADDRESSES["backend2"] + ":8480"),
            *self.changes, once=True).replace("login.example.com", NAME)
        addresses = {**ADDRESSES, "office": OFFICE}
        for machine, backend in pinned.items():
            text += f"    use-server {backend} if {{ src {addresses[machine]} }}\n"
        write(path("haproxy.cfg"), text)

    def check(self):
        """The output of HAProxy about the file that operators are given, as it is."""
        return run("haproxy", "-c", "-V", "-f", f"{EXAMPLES}/haproxy.cfg")

    def start(self, pinned=None):
        """Starts it; `pinned` names for some machines, or the office, the backend that serves them."""
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
        """The number of a machine's POSTs that were answered with 200."""
        with open(path("haproxy.log"), encoding="utf-8") as file:
            return len(re.findall(rf"^{re.escape(machine.address)}:.* POST 200 ", file.read(), re.MULTILINE))

    def await_state(self, state, *backends):
        until(lambda: all(self.states().get(backend) == state for backend in backends), f"{backends} being {state}")


class Authority:
    """A D-TA on a machine of its own, with TLS; the first one behind a wall that lets in the backends alone."""

    def __init__(self, programs, number, machine):
        self.program = os.path.join(programs, "login-kiosk-backend")
        self.number = number
        self.machine = machine
        self.state = path(machine.name)
        self.folder = f"{self.state}/dta{number}"
        self.log = path(machine.name + ".log")
        self.process = None
        if number == 1:
            write(path("dta1.nft"), example("dta1.nft", ("192.0.2.11", ADDRESSES["backend1"]),
                                            ("192.0.2.12", ADDRESSES["backend2"])))
            machine.run("nft", "-f", path("dta1.nft"))

    @property
    def name(self):
        return self.machine.name

    def launch(self):
        name, port = AUTHORITIES[self.number - 1]
        self.process = self.machine.start(
            self.program, "dta", "--half", str(self.number), "--state", self.state,
            "--listen", f"{self.machine.address}:{port}", "--tls-cert", path(f"{name}.crt"),
            "--tls-key", path(f"{name}.key"), "--log-level", "info",
            stdout=open(self.log, "ab"), stderr=subprocess.STDOUT)

    def start(self):
        """Starts it, and waits until it serves."""
        before = self.count("serving https")
        self.launch()
        until(lambda: self.count("serving https") > before or self.process.poll() is not None, self.name)
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} ended with {self.process.returncode}")

    def count(self, text):
        if not os.path.exists(self.log):
            return 0
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read().count(text)

    def given(self, what):
        """The number of shares of a client secret, a time permit or the server secret that it gave."""
        return self.count(f"of={what}")

    def half(self):
        """Its half of the master secret."""
        with open(f"{self.folder}/master", "rb") as file:
            return file.read()[-32:]


class Backend:
    """One of several processes that serve as one."""

    def __init__(self, programs, machine):
        self.program = os.path.join(programs, "login-kiosk-backend")
        self.machine = machine
        self.state = path(machine.name)
        self.log = path(machine.name + ".log")
        # The address of the one that it shares with the others.
        self.database = None
        self.process = None

    @property
    def name(self):
        return self.machine.name

    def receive(self, authority):
        """The file that the operator carries over from a D-TA's machine."""
        folder = f"{self.state}/dta{authority.number}"
        os.makedirs(folder, 0o700)
        os.chmod(self.state, 0o700)
        shutil.copy(f"{authority.folder}/credentials", folder)

    def holds(self, secret):
        """The files of its state directory that have these bytes, as they are or in hexadecimal."""
        found = []
        for name in glob.glob(f"{self.state}/**", recursive=True):
            if os.path.isfile(name):
                with open(name, "rb") as file:
                    content = file.read()
                if secret in content or secret.hex().encode() in content.lower():
                    found.append(name)
        return found

    def elsewhere(self):
        """Where it finds the D-TAs."""
        addresses = [f"https://{name}:{port}".removesuffix(":443") for name, port in AUTHORITIES]
        return ["--dta1", addresses[0], "--dta2", addresses[1], "--dta-ca", path("ca.pem")]

    def start(self):
        self.process = self.machine.start(
            self.program, "--listen", f"{self.machine.address}:8480", "--public-url", f"https://{NAME}",
            "--state", self.state, "--database", self.database, "--trusted-proxy", ADDRESSES["lb"],
            "--admit", "anybody", *self.elsewhere(), "--drain-time", str(DRAIN_TIME), "--log-level", "info", "--metrics-port", "9480",
            stdout=open(self.log, "ab"), stderr=subprocess.STDOUT)

    def is_ready(self):
        """As it says itself; HAProxy hears of it later."""
        return self.readiness() == 200

    def readiness(self):
        """The status of /readyz; none where nothing answers."""
        connection = http.client.HTTPConnection(self.machine.address, 8480, timeout=10)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def command(self, *arguments):
        return self.machine.run(self.program, *arguments, "--state", self.state, "--database", self.database)

    def failures(self, *users):
        """The number of wrong PINs in a row that are counted for each."""
        listed = json.loads(self.command("users", "--json"))["users"]
        counts = {one["userID"]: one["failures"] for one in listed}
        return [counts[user] for user in users]

    def checked_pins(self):
        """The number of PINs that this process has checked."""
        return self.count_of("login checked$")

    def count_of(self, pattern):
        """The number of lines of its log that are like this."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return len(re.findall(pattern, file.read(), re.MULTILINE))


class LoneBackend(Backend):
    """The only one, with TLS of its own, on SQLite."""

    def __init__(self, programs, machine, *options):
        super().__init__(programs, machine)
        self.options = options
        self.state, self.log = path("backend"), path("backend.log")
        self.start()

    def start(self):
        self.process = self.machine.start(
            self.program, "--listen", f"{self.machine.address}:443", "--public-url", f"https://{NAME}",
            "--state", self.state, "--admit", "anybody", "--tls-cert", path(NAME + ".crt"),
            "--tls-key", path(NAME + ".key"), *self.options, stdout=open(self.log, "ab"), stderr=subprocess.STDOUT)
        until(lambda: reaches(NAME, 443) or self.process.poll() is not None, "the backend")
        if self.process.poll() is not None:
            raise AssertionError(f"the backend ended with {self.process.returncode}")

    def command(self, *arguments):
        return self.machine.run(self.program, *arguments, "--state", self.state)


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
