#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The load that test.sh puts on one, two and four backends, and what is done to them meanwhile.

usage: run.py DIRECTORY-OF-PROGRAMS DIRECTORY-OF-RESULTS [PART ...], in namespaces of its own: test.sh
"""

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

import world
from servers import Backend, Balancer, Database
from world import ADDRESSES, ENVIRONMENT, NAME, end, path, until

# Beside those of the fleet's test.
ADDRESSES.update(backend3="10.77.0.13", backend4="10.77.0.14")
NAMES = ["backend1", "backend2", "backend3", "backend4"]
# The figure of a thousand kiosks with a login a minute each, and who of them mistypes.
THOUSAND = {"kiosks": 1000, "browsers": 1000, "rate": 1000 / 60, "seconds": 60, "wrong": 0.05}
# Seconds between kills, and for how long.
KILL_EVERY, KILL_FOR = 5, 120
RESTART_AT, PAUSE_AT, PAUSE_FOR = 15, 45, 10
POLLS = 1000
# Beside what it was told, a swarm takes its time to register and to read what is counted.
SWARM_LIMIT = 900


class FewBackends(Balancer):
    """HAProxy before some of the backends. It lets each kiosk of the swarm be where it says it is."""

    def __init__(self, machine, count):
        servers = "\n".join(f"    server {name} {ADDRESSES[name]}:8480" for name in NAMES[:count])
        super().__init__(
            machine, ("    http-request del-header X-Forwarded-For\n", ""),
            ("    option forwardfor\n", "    option forwardfor if-none\n"),
            (f"    server backend1 {ADDRESSES['backend1']}:8480\n    server backend2 {ADDRESSES['backend2']}:8480",
             servers))


class WholeBackend(Backend):
    """One of several with both D-TAs inside: what is measured is the backend."""

    def elsewhere(self):
        return []


class EmbeddedBackend(Backend):
    """One that keeps everything in SQLite."""

    def start(self):
        self.process = self.machine.start(
            self.program, "--listen", f"{self.machine.address}:8480", "--public-url", f"https://{NAME}",
            "--state", self.state, "--trusted-proxy", ADDRESSES["lb"], "--admit", "anybody", "--log-level", "notice",
            stdout=open(self.log, "ab"), stderr=subprocess.STDOUT)


def processor_time(*processes):
    """Seconds of these processes and of the children that they have or had."""
    ticks = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                ticks += sum(int(field) for field in file.read().rsplit(")", 1)[1].split()[11:15])
            with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
                ticks += round(processor_time(*map(int, file.read().split())) * os.sysconf("SC_CLK_TCK"))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


class Swarm:
    """`login-kiosk-dev swarm` in a thread's care: calls back when the load begins and when it has ended."""

    def __init__(self, load, name, kiosks, browsers, rate, seconds, wrong=0.0):
        self.name, self.seconds = name, seconds
        arguments = ["--backend", f"https://{NAME}", "--ca-file", path("ca.pem"), "--kiosks", str(kiosks),
                     "--browsers", str(browsers), "--rate", str(rate), "--for", str(seconds), "--json",
                     "--operator-password-file", load.password, "--wrong-share", str(wrong)]
        self.output = os.path.join(load.results, f"{name}.json")
        self.began, self.ended = threading.Event(), threading.Event()
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen(
                [os.path.join(load.programs, "login-kiosk-dev"), "swarm", *arguments], env=ENVIRONMENT,
                stdout=output, stderr=subprocess.PIPE, text=True)
        self.said = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stderr:
            self.said.append(line.rstrip())
            if "the load begins" in line:
                self.began.set()
            if "the load has ended" in line:
                self.ended.set()
        self.began.set()
        self.ended.set()

    def report(self):
        try:
            self.process.wait(timeout=self.seconds + SWARM_LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"{self.name}: the swarm does not end") from None
        if self.process.returncode not in (0, 1):
            raise AssertionError(f"{self.name}: exit {self.process.returncode}: {self.said[-3:]}")
        with open(self.output, encoding="utf-8") as file:
            report = json.load(file)
        report["faulty"] = sum(report["faults"].values())
        report["again"] = sum(report["try_again"].values())
        return report


class Load:
    def __init__(self, programs, results):
        self.programs, self.results = programs, results
        self.rows = []
        self.machines = world.build()
        self.backends = [WholeBackend(programs, self.machines[name]) for name in NAMES]
        self.embedded = EmbeddedBackend(programs, self.machines["backend1"])
        self.embedded.state += "-embedded"
        self.database = self.balancer = None

    # For all parts.

    def row(self, figure, value, goal, is_met):
        """`is_met` is nil where the issue has no goal."""
        self.rows.append((figure, value, goal, {True: "met", False: "MISSED", None: ""}[is_met]))
        print(f"{self.rows[-1][3]:7} {figure}: {value} (goal: {goal})", flush=True)

    def serve(self, backends):
        """Lets these and no others serve."""
        for backend in [*self.backends, self.embedded]:
            if backend.process and backend.process.poll() is None:
                end(backend.process)
        if self.balancer:
            self.balancer.stop()
        if not self.database:
            self.database = Database(self.machines["db"], "kiosk")
            for backend in self.backends:
                backend.database = self.database.address
        else:
            # A backend knows 4,096 logged-in browsers for an hour each: those of the part before are not to count.
            self.database.sql("DROP DATABASE kiosk")
            self.database.sql("CREATE DATABASE kiosk OWNER kiosk")
        first, *others = backends
        first.start()
        until(first.is_ready, f"{first.name} being ready")
        for other in others:
            if not os.path.exists(other.state):
                shutil.copytree(first.state, other.state, ignore=shutil.ignore_patterns("outbox-address"))
            other.start()
        self.balancer = FewBackends(self.machines["lb"], len(backends))
        self.balancer.start()
        for backend in backends:
            until(backend.is_ready, f"{backend.name} being ready")
        self.balancer.await_state("UP", *[backend.name for backend in backends])
        self.password = os.path.join(first.state, "operator-password")

    def swarm(self, name, **what):
        return Swarm(self, name, **what)

    def told(self, report):
        percentiles = report["last_digit_to_outcome"]
        counts = report.get("counts") or {"counted": 0}
        return (f"{report['logged_in']} logins of {report['planned']}, {report['again']} told to try again, "
                f"{report['wrong_pin']} wrong PINs told, {counts['counted']} counted, faults {report['faulty']}, "
                f"p50 {percentiles.get('p50', 0):.2f} s, p99 {percentiles.get('p99', 0):.2f} s")

    # The parts.

    def processor(self):
        """Measures the cost of a login for a backend's process: SQLite and PostgreSQL in turn, twice, with pages and without."""
        spent = {}
        for _ in range(2):
            for kind, backends in (("SQLite", [self.embedded]), ("PostgreSQL", self.backends[:1])):
                self.serve(backends)
                for browsers, rate in ((64, 20), (0, 40)):
                    swarm = self.swarm(f"processor-{kind}-{browsers}", kiosks=64, browsers=browsers, rate=rate, seconds=20)
                    swarm.began.wait()
                    before = self.meters(kind, backends[0])
                    swarm.ended.wait()
                    after = self.meters(kind, backends[0])
                    report = swarm.report()
                    for name in after:
                        spent.setdefault((name, browsers), []).append(
                            (after[name] - before[name]) / report["logged_in"])
                    if browsers:
                        before = self.meters(kind, backends[0])
                        self.poll(backends[0], POLLS)
                        after = self.meters(kind, backends[0])
                        for name in after:
                            spent.setdefault((name, "poll"), []).append((after[name] - before[name]) / POLLS)
                    print(f"        {kind}, {browsers} browsers: {self.told(report)}", flush=True)
        mean = {name: sum(values) / len(values) for name, values in spent.items()}
        for browsers, what in ((64, "a login with its page"), (0, "a login of the device itself")):
            ratio = mean["PostgreSQL", browsers] / mean["SQLite", browsers]
            self.row(f"processor time of a backend process, {what}, PostgreSQL beside SQLite",
                     f"{ratio:.2f} ({mean['PostgreSQL', browsers]:.2f} and {mean['SQLite', browsers]:.2f} ms; "
                     f"PostgreSQL itself {mean['server', browsers]:.2f} ms)", "<= 1.4", ratio <= 1.4)
            self.row(f"HAProxy with TLS, {what}", f"{mean['HAProxy', browsers]:.2f} ms of processor time", "-", None)
            self.row(f"PostgreSQL, {what}", f"{mean['transactions', browsers]:.1f} transactions, "
                     f"{mean['log', browsers] / 1024:.1f} KiB of its log", "-", None)

        self.row("a page's question how its login is",
                 f"{mean['PostgreSQL', 'poll']:.2f} ms of a backend on PostgreSQL, {mean['SQLite', 'poll']:.2f} on "
                 f"SQLite; {mean['server', 'poll']:.2f} ms of PostgreSQL, {mean['transactions', 'poll']:.1f} of its "
                 "transactions", "-", None)

    @staticmethod
    def poll(backend, times):
        """One page that asks the backend itself so many times how its login is."""
        connection = http.client.HTTPConnection(backend.machine.address, 8480, timeout=10)
        connection.request("GET", "/")
        reply = connection.getresponse()
        reply.read()
        cookie = reply.headers["Set-Cookie"].split(";")[0]
        for _ in range(times):
            connection.request("GET", "/session", headers={"Cookie": cookie})
            if b'"new"' not in connection.getresponse().read():
                raise AssertionError("the page is not new any more")
        connection.close()

    def meters(self, kind, backend):
        """Milliseconds of processor time until now, and what PostgreSQL has done."""
        found = {kind: processor_time(backend.process.pid) * 1000}
        if kind == "PostgreSQL":
            found["HAProxy"] = processor_time(self.balancer.process.pid) * 1000
            found["server"] = processor_time(self.database.process.pid) * 1000
            done = self.database.sql(
                "SELECT xact_commit || ' ' || (pg_current_wal_lsn() - '0/0') FROM pg_stat_database "
                "WHERE datname = 'kiosk'").splitlines()[2].split()
            found["transactions"], found["log"] = map(float, done)
        return found

    def trips(self):
        """Measures the work of PostgreSQL for one kiosk's logins, as it counts itself: each round trip is a transaction."""
        backend = self.backends[0]
        self.serve([backend])
        self.database.sql("ALTER SYSTEM SET shared_preload_libraries = pg_stat_statements")
        self.database.stop()
        self.database.start()
        self.database.sql("CREATE EXTENSION pg_stat_statements")
        until(backend.is_ready, f"{backend.name} being ready")
        for browsers, what in ((1, "a login with its page, in the milagro dialect"), (0, "a login of the device itself")):
            swarm = self.swarm(f"trips-{browsers}", kiosks=1, browsers=browsers, rate=0.6, seconds=60)
            swarm.began.wait()
            self.database.sql("SELECT pg_stat_statements_reset()")
            before = self.meters("PostgreSQL", backend)
            swarm.ended.wait()
            after = self.meters("PostgreSQL", backend)
            logins = swarm.report()["logged_in"]
            self.row(f"round trips to PostgreSQL, {what}, by pg_stat_database",
                     f"{(after['transactions'] - before['transactions']) / logins:.1f}", "-", None)
            for line in self.database.sql(
                    "COPY (SELECT calls, left(query, 60) FROM pg_stat_statements JOIN pg_database ON oid = dbid "
                    "WHERE datname = 'kiosk' ORDER BY calls DESC, query) TO STDOUT").splitlines():
                calls, query = line.split("\t")
                if int(calls) * 2 > logins:
                    print(f"        {int(calls) / logins:4.1f} times {query}", flush=True)
        self.database.sql("ALTER SYSTEM RESET shared_preload_libraries")

    def processes(self):
        """One kiosk, and then a thousand, at one, two and four processes."""
        self.serve(self.backends[:2])
        alone = self.swarm("one-kiosk", kiosks=1, browsers=1, rate=0.6, seconds=90).report()
        print(f"        one kiosk: {self.told(alone)}", flush=True)
        for count in (2, 1, 4):
            self.serve(self.backends[:count])
            report = self.swarm(f"thousand-{count}", **THOUSAND).report()
            print(f"        {count} processes: {self.told(report)}", flush=True)
            failed = report["again"] + report["faulty"] + report["not_begun"] + report["unanswered"]
            ratio = report["last_digit_to_outcome"]["p99"] / alone["last_digit_to_outcome"]["p99"]
            goal = count == 2
            self.row(f"1,000 kiosks, 1 login each in 60 s, {count} processes: failed logins", failed,
                     "0" if goal else "-", failed == 0 if goal else None)
            self.row("the same, p99 of last digit to outcome beside one kiosk's", f"{ratio:.2f}",
                     "<= 5" if goal else "-", ratio <= 5 if goal else None)

    def devices(self):
        """The same without pages, whose pause of a second hides how long the backend takes."""
        self.serve(self.backends[:2])
        alone = self.swarm("one-device", kiosks=1, browsers=0, rate=2, seconds=60).report()
        print(f"        one device: {self.told(alone)}", flush=True)
        report = self.swarm("thousand-devices", **{**THOUSAND, "browsers": 0}).report()
        print(f"        1,000 devices: {self.told(report)}", flush=True)
        ratio = report["last_digit_to_outcome"]["p99"] / alone["last_digit_to_outcome"]["p99"]
        self.row("1,000 devices that log themselves in, p99 of last digit to outcome beside one's", f"{ratio:.2f}",
                 "<= 5", ratio <= 5)

    def kills(self):
        """One process after the other is killed and started again."""
        self.serve(self.backends[:2])
        swarm = self.swarm("kills", **{**THOUSAND, "seconds": KILL_FOR})
        swarm.began.wait()
        killed = 0
        began = time.monotonic()
        while not swarm.ended.wait(KILL_EVERY) and time.monotonic() - began < KILL_FOR:
            victim = self.backends[killed % 2]
            end(victim.process, signal.SIGKILL)
            victim.start()
            killed += 1
        report = swarm.report()
        print(f"        {self.told(report)}; {report['try_again']}; {report['errors']}", flush=True)
        self.faults(f"{killed} kills in {KILL_FOR} s", report)

    def faults(self, what, report):
        faults = report["faults"]
        self.row(f"{what}: logins lost of which the person was not told to try again", faults["lost_logins"], "0",
                 faults["lost_logins"] == 0)
        self.row(f"{what}: wrong verdicts", faults["wrong_verdicts"], "0", faults["wrong_verdicts"] == 0)
        counts = faults["lost_counts"] + faults["double_counts"]
        self.row(f"{what}: wrong PINs not counted exactly once", counts, "0", counts == 0)

    def few(self):
        """Runs the load that every change has to pass: few people at two backends, one of which is killed under them."""
        self.serve(self.backends[:2])
        swarm = self.swarm("few", kiosks=30, browsers=30, rate=4, seconds=15, wrong=0.2)
        swarm.began.wait()
        time.sleep(KILL_EVERY)
        end(self.backends[0].process, signal.SIGKILL)
        self.backends[0].start()
        report = swarm.report()
        print(f"        {self.told(report)}; {report['try_again']}; {report['errors']}", flush=True)
        self.row("few people: some log in, and some type a wrong PIN", f"{report['logged_in']}, {report['wrong_pin']}",
                 "both", report["logged_in"] > 0 and report["wrong_pin"] > 0)
        self.faults("few people", report)

    def databases(self):
        """PostgreSQL is restarted, and later stands still."""
        self.serve(self.backends[:2])
        swarm = self.swarm("database", **{**THOUSAND, "seconds": 90})
        swarm.began.wait()
        time.sleep(RESTART_AT)
        self.database.stop()
        self.database.start()
        restarted = time.time()
        time.sleep(PAUSE_AT - RESTART_AT)
        self.database.pause()
        time.sleep(PAUSE_FOR)
        self.database.go_on()
        went_on = time.time()
        report = swarm.report()
        print(f"        {self.told(report)}; {report['try_again']}; {report['errors']}", flush=True)
        for what, since, goal in (("restarted", restarted, 5), ("paused for 10 s", went_on, None)):
            back = self.back(report, since - report["begins"])
            self.row(f"PostgreSQL {what} under load: seconds until logins end well again",
                     f"{back:.1f}", f"<= {goal}" if goal else "-", back <= goal if goal else None)
        self.faults("PostgreSQL restarted and paused", report)

    @staticmethod
    def back(report, since, within=25):
        """Seconds from a moment of the load until logins end well again, and none any more but well.

        To the end of the last second with a failure, of those that follow; else to the first with a login.
        """
        later = [moment for moment in report["moments"] if since <= moment["second"] + 1 <= since + within]
        failed = [moment["second"] + 1 for moment in later if moment["try_again"]]
        well = [moment["second"] for moment in later if moment["logged_in"] and moment["second"] >= max([0, *failed])]
        return max(0.0, max([*failed[-1:], well[0]]) - since) if well else float("inf")

    PARTS = {"processor": processor, "processes": processes, "devices": devices, "kills": kills,
             "database": databases, "trips": trips, "few": few}

    def run(self, parts):
        for name in parts or self.PARTS:
            print(f"== {name}, load {os.getloadavg()[0]:.1f}", flush=True)
            try:
                self.PARTS[name](self)
            except (AssertionError, OSError, KeyError) as error:
                self.row(name, f"not measured: {error}", "to its end", False)
        width = max(len(row[0]) for row in self.rows)
        table = "\n".join(f"{row[0]:{width}}  {row[3]:6}  {row[1]} (goal {row[2]})" for row in self.rows)
        world.write(os.path.join(self.results, "table.txt"), table + "\n", 0o644)
        print("\n" + table)
        return 1 if any(row[3] == "MISSED" for row in self.rows) else 0


if __name__ == "__main__":
    if len(sys.argv) < 3 or os.getpid() != 1 or not set(sys.argv[3:]) <= set(Load.PARTS):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(Load(*sys.argv[1:3]).run(sys.argv[3:]))
