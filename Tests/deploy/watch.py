# SPDX-License-Identifier: Apache-2.0
"""A fleet with the names and addresses of the examples in deploy/fleet, and a machine with Prometheus to watch it."""

import http.client
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../Scripts"), os.path.join(HERE, "../outages")]

import world  # noqa: E402
from examples import EXAMPLES, TOP, example  # noqa: E402

# Whatever imports these from the world finds them so.
world.NAME = "login.example.com"
world.OFFICE = "192.0.2.1"
world.ADDRESSES = {
    "lb": "192.0.2.10", "backend1": "192.0.2.11", "backend2": "192.0.2.12", "db": "192.0.2.20", "dta1": "192.0.2.21",
    "dta2": "192.0.2.22",
    "kiosk1": "192.0.2.31", "kiosk2": "192.0.2.32", "watch": "192.0.2.40",
}
EXPORTERS = {f"{name}.example.com": name for name in ("kiosk1", "kiosk2", "backend1", "backend2")}
# The database has no standby here.
del world.SERVERS["db2.fleet.test"]
world.SERVERS |= {world.NAME: "lb", "prometheus": "watch", "logs.example.com": "watch", **EXPORTERS}

from people import ENTER, LOGIN, WALL, WRONG, Kiosk, Page  # noqa: E402
from run import ALICE, PINS, REQUESTS, WRONG_PIN, Fleet  # noqa: E402
from servers import Mute  # noqa: E402
from world import NAME, end, path, run, until, write  # noqa: E402

OWN_NAME = re.compile(r"\blogin_kiosk_[a-z_]+")
# Of a Raspberry Pi, of a machine with a thermometer, of a keypad that is none of a terminal, and of a backend that has TLS
# itself.
ELSEWHERE = {"login_kiosk_under_voltage", "login_kiosk_temperature_celsius", "login_kiosk_keypad_up",
             "login_kiosk_backend_certificate_end_time_seconds"}


def dashboard():
    return json.loads(example("dashboard.json"))


def panel_queries():
    """Title and expression, as Grafana sends it with everything chosen."""
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            text = target["expr"]
            for variable, value in (("$kiosk", ".*"), ("$__rate_interval", "5m"), ("$__range", "1h")):
                text = text.replace(variable, value)
            yield panel["title"], text


def names_in(text):
    """The series of this project that a text names, as metrics: a histogram is three series."""
    return {re.sub(r"(?<=_seconds)_(bucket|sum|count)$", "", name) for name in OWN_NAME.findall(text)}


def documented():
    with open(os.path.join(TOP, "docs/metrics.md"), encoding="utf-8") as file:
        return {name for row in re.findall(r"^\| `.*$", file.read(), re.MULTILINE)
                for name in re.findall(r"`(login_kiosk_[a-z_]+)`", row.split("|")[1])}


class Watched(Fleet):
    """Its parts come in the order of `run`."""

    def __init__(self, programs):
        super().__init__(programs)
        self.balancer.changes = [
            ("    #bind :9481", "    bind :9481"), ("/etc/haproxy/metrics.pem", path(NAME + ".pem")),
            ("/etc/haproxy/metrics-ca.crt", path("ca.pem"))]
        self.prometheus = None
        self.nginx = {}

    # Reading.

    def names(self):
        told = documented()
        for name in ("dashboard.json", "alerts.yml", "prometheus.yml"):
            used = names_in(example(name))
            self.check(f"{name} names metrics of docs/metrics.md alone", used <= told, used - told)
        used = names_in(example("dashboard.json")) | names_in(example("alerts.yml"))
        self.check("the dashboard and the alerts leave none out", used == told, told - used)
        self.check("the check itself sees a name that is none", not names_in("rate(login_kiosk_frame_total[5m])") & told)

    def rules(self):
        told = run("promtool", "check", "rules", f"{EXAMPLES}/alerts.yml")
        self.check("promtool takes the alerts", "SUCCESS" in told, told)
        # It prints the words of a rule that fails.
        done = subprocess.run(["promtool", "test", "rules", os.path.join(HERE, "alerts.test.yml")],
                              capture_output=True, text=True, check=False)
        self.check("each alert fires when it should, and else not", done.returncode == 0, done.stdout + done.stderr)
        alerts = re.findall(r"alert: (\w+)", example("alerts.yml"))
        with open(os.path.join(HERE, "alerts.test.yml"), encoding="utf-8") as file:
            tested = set(re.findall(r"alertname: (\w+)", file.read()))
        self.check("each alert is in that test", set(alerts) == tested, set(alerts) ^ tested)
        with open(os.path.join(TOP, "docs/monitoring.md"), encoding="utf-8") as file:
            explained = {name for cell in re.findall(r"^\|([^|]*)\|", file.read(), re.MULTILINE)
                         for name in re.findall(r"`(\w+)`", cell)}
        self.check("and docs/monitoring.md has what to do", set(alerts) <= explained, set(alerts) - explained)

    # Programs.

    def start_nginx(self, machine, settings):
        name = path(f"{machine}.nginx.conf")
        if "events {" not in settings:
            settings = f"events {{ }} http {{ {settings} }} error_log {path(machine + '.nginx.log')};"
        settings = re.sub(r"(?m)^pid .*;$", "", settings)
        write(name, f"{settings}\npid {path(machine + '.nginx.pid')}; daemon off;\n")
        self.nginx[machine] = self.machines[machine].start(
            "nginx", "-c", name, stdout=open(path(f"{machine}.nginx.log"), "ab"), stderr=subprocess.STDOUT)

    def balanced_by_nginx(self):
        """Checks the requests that nginx sends again, in place of HAProxy."""
        run("nginx", "-t", "-c", f"{EXAMPLES}/nginx.conf")
        mutes = [Mute(self.machines[backend.name]) for backend in self.backends]
        # Each request shall find both backends, whatever became of the one before.
        self.start_nginx("lb", example(
            "nginx.conf", ("        #listen 443", "        listen 443"), ("        #ssl_", "        ssl_"),
            (f"/etc/nginx/{NAME}", path(NAME)), ("syslog:server=unix:/dev/log", path("lb.log")),
            ("max_fails=1", "max_fails=0")))
        until(lambda: self.status("GET", "/readyz") == 200 and self.status("GET", "/readyz") == 200, "nginx")
        for method, target, times in REQUESTS:
            before = sum(mute.count(f"{method} {target}") for mute in mutes)
            status = self.status(method, target)
            heard = sum(mute.count(f"{method} {target}") for mute in mutes) - before
            self.check(f"nginx sends {method} {target.split('?')[0]} without an answer to {min(times, 2)} of 2",
                       (status, heard) == (502, min(times, 2)), f"{status}, {heard} times")
        for mute in mutes:
            end(mute.process)
        with open(path("lb.log"), encoding="utf-8") as file:
            log = [line for line in file.read().splitlines() if "[error]" not in line]
        self.check("nginx's log has requests and no path",
                   any(" POST 502 " in line for line in log) and not any("/rps" in line for line in log), log[:3])
        end(self.nginx.pop("lb"))

    @staticmethod
    def status(method, target):
        connection = http.client.HTTPSConnection(
            NAME, timeout=40, context=ssl.create_default_context(cafile=path("ca.pem")))
        try:
            connection.request(method, target, "{}" if method in ("POST", "PUT") else None)
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()

    def exporters(self):
        """Kiosks and backends, and nginx before the metrics of each."""
        for name, machine in EXPORTERS.items():
            self.start_nginx(machine, example(
                "nginx-metrics.conf", ("/etc/nginx/metrics/this", path(name)),
                ("/etc/nginx/metrics/ca.crt", path("ca.pem"))))
        write(path("fleet.key"), "0123456789abcdef" * 2)
        for machine in ("kiosk1", "kiosk2"):
            kiosk = Kiosk(self.programs, self.machines[machine])
            os.mkdir(path(machine + "-config/config.d"), 0o700)
            write(path(machine + "-config/config.d/50-metrics.yaml"), "metrics: {port: 9480}\n")
            self.kiosks.append(kiosk)
        home, unwell = self.kiosks
        home.enroll(ALICE, PINS[ALICE], lambda one: self.backends[1].command("activate", one))
        home.start()
        unwell.command("trust", "remove", NAME)
        write(path("keys"), "wait 600\n")
        unwell.hold_up(WALL)
        unwell.process = unwell.machine.start(
            unwell.program, "run", "--keys", path("keys"), *unwell.places,
            stdout=open(unwell.screen, "wb"), stderr=open(path("kiosk2.log"), "wb"))

    def visited(self):
        home = self.kiosks[0]
        told = self.log_in(home, ALICE)
        self.check("a person logs in", told == LOGIN, told)
        page = Page()
        home.approach(page, WRONG_PIN)
        home.press(ENTER)
        told = home.outcome()
        self.check("and types a wrong PIN", told == WRONG, told)
        page.close()
        home.leave()

    def watched(self):
        """Prometheus with the example's settings, but once a second."""
        folder = path("prometheus")
        os.makedirs(folder + "/metrics")
        write(folder + "/prometheus.yml", example("prometheus.yml", (": 15s", ": 1s")))
        write(folder + "/alerts.yml", example("alerts.yml"))
        for source, name in ((path("ca.pem"), "ca.crt"), (path("prometheus.crt"), "prometheus.crt"),
                             (path("prometheus.key"), "prometheus.key")):
            shutil.copy(source, f"{folder}/metrics/{name}")
        told = run("promtool", "check", "config", folder + "/prometheus.yml")
        self.check("promtool takes the settings", "SUCCESS" in told, told)
        self.prometheus = self.machines["watch"].start(
            "prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
            "--web.listen-address=127.0.0.1:9090", stdout=open(path("prometheus.log"), "ab"), stderr=subprocess.STDOUT)
        until(lambda: [target["health"] for target in self.targets()] == ["up"] * 5, "all targets being up", pause=0.5)
        self.check("Prometheus has kiosks, backends and HAProxy", True)

    def ask(self, target, **fields):
        """The answer of Prometheus; nothing while it does not listen."""
        def request():
            connection = http.client.HTTPConnection("127.0.0.1", 9090, timeout=20)
            try:
                connection.request("GET", f"/api/v1/{target}?{urllib.parse.urlencode(fields)}")
                return json.load(connection.getresponse())
            except (OSError, http.client.HTTPException, ValueError):
                return {"status": "none", "data": None}
            finally:
                connection.close()

        return self.machines["watch"].within(request)

    def targets(self):
        return (self.ask("targets")["data"] or {}).get("activeTargets", [])

    def values(self, text):
        answer = self.ask("query", query=text)
        if answer["status"] != "success":
            raise AssertionError(f"{text}: {answer}")
        return [float(series["value"][1]) for series in answer["data"]["result"]]

    def strangers(self):
        """Checks that a client that is not Prometheus learns nothing."""
        def fetch(name=None):
            arguments = ["--cert", path(f"{name}.crt"), "--key", path(f"{name}.key")] if name else []
            return self.machines["watch"].run(
                "curl", "--silent", "--cacert", path("ca.pem"), *arguments, "--write-out", "%{http_code}", "--output",
                "/dev/null", "https://kiosk1.example.com:9481/metrics")

        self.check("Prometheus is told", fetch("prometheus") == "200")
        self.check("another machine of the fleet is not", fetch("kiosk2.example.com") == "403")
        self.check("who has no certificate is not", fetch() == "400")

    def asked(self):
        """Every query of the dashboard and of the alerts."""
        served = set(self.ask("label/__name__/values")["data"])
        texts = [example("alerts.yml"), *(text for _, text in panel_queries())]
        used = {name for text in texts for name in OWN_NAME.findall(text)}
        self.check("every series that is named is there", used - served <= ELSEWHERE, used - served)
        known = {name for text in served for name in names_in(text)}
        self.check("docs/metrics.md has each metric of the programs, and no other",
                   known <= documented() and documented() - known <= ELSEWHERE, known ^ documented())
        for title, text in panel_queries():
            found = until(lambda text=text: self.values(text) or names_in(text) & ELSEWHERE, f"{title}: {text}")
            self.check(f"{title}: {len(found)} series", True)
        rules = [rule for group in self.ask("rules")["data"]["groups"] for rule in group["rules"]]
        ill = [(rule["name"], rule.get("lastError")) for rule in rules if rule["health"] == "err"]
        self.check(f"Prometheus works out {len(rules)} alerts", rules and not ill, ill)

        queries = dict(panel_queries())
        self.check("the dashboard counts the login", sum(self.values(queries["Logins"])) > 0)
        self.check("and the wrong PIN", sum(self.values(queries["Wrong PINs"])) > 0)

    def raised(self, name, **labels):
        where = "".join(f', {label}="{value}"' for label, value in labels.items())
        return self.values(f'ALERTS{{alertname="{name}"{where}}}')

    def alerted(self):
        until(lambda: self.raised("KioskServesNobody", instance="kiosk2.example.com:9481"), "an alert about kiosk2")
        self.check("a kiosk without trusted services is seen", not self.raised("KioskServesNobody", condition="ready"))
        first, second = self.backends
        second.process.terminate()
        until(lambda: self.raised("BackendNotReady", server=second.name), "an alert about a backend that stops")
        self.check("a backend that is told to stop is seen, and no other",
                   not self.raised("BackendNotReady", server=first.name) and not self.raised("BackendsWithoutDatabase"))
        end(second.process)
        second.start()
        self.await_backends()
        end(self.authorities[0].process)
        until(lambda: self.raised("DTAGone", dta="1"), "an alert about D-TA 1", pause=0.5)
        self.check("a D-TA that is away is seen, and no other", not self.raised("DTAGone", dta="2"))
        self.authorities[0].start()
        until(lambda: not self.raised("DTAGone"), "no alert about D-TA 1", pause=0.5)
        self.check("and that it is back, before a person registers", True)
        self.database.stop()
        until(lambda: self.raised("BackendsWithoutDatabase"), "an alert about the database")
        self.check("a database that is away is seen", True)
        self.database.start()
        self.await_backends()
        until(lambda: not self.raised("BackendsWithoutDatabase") and not self.raised("BackendNotReady"), "no alert")
        self.check("and that it is back", True)

    def the_end(self):
        told = [end(kiosk.process) for kiosk in self.kiosks]
        self.check("the kiosks end as they are told", told == [0, 0], told)

    def run(self):
        parts = [
            ("names", self.names), ("alerts", self.rules), ("nginx as the balancer", self.balanced_by_nginx),
            ("HAProxy's configuration", self.configuration), ("two backends on one database", self.serving),
            ("two kiosks", self.exporters), ("Prometheus", self.watched), ("strangers", self.strangers),
            ("people", self.visited), ("the dashboard", self.asked), ("what goes wrong", self.alerted),
            ("the end", self.the_end),
        ]
        for name, story in parts:
            self.part(name, story)
            if self.failed:
                print(f"what comes after {name} was not tried")
                break
        return self.verdict()


if __name__ == "__main__":
    if len(sys.argv) != 2 or os.getpid() != 1:
        print("usage: watch.py DIRECTORY-OF-PROGRAMS, in namespaces of its own: test.sh", file=sys.stderr)
        sys.exit(64)
    sys.exit(Watched(sys.argv[1]).run())
