#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""People who try to log in at a kiosk in a bad network, and what must hold whatever happens.

usage: run.py DIRECTORY-OF-PROGRAMS SEEDS, in namespaces of its own: test.sh
"""

import collections
import os
import ssl
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

import fronts
import resolver
import world
from checks import Checks
from fronts import Front, certificate, page, plain, speaking_tls
from line import FAIR, Line, weather
from people import AGAIN, CARD_READ, CONSENT, ENDS, ENTER, LOGIN, PIN, WRONG, Kiosk, Page
from resolver import Resolver
from servers import LoneBackend
from world import NAME, OFFICE, path, until, write

# Alice is registered at the kiosk. Bob comes with a personal card and a wrong PIN, so that nobody else is held up.
ALICE, BOB = "alice@example.com", "bob@example.com"
RIGHT_PIN, WRONG_PIN = "739154", "835027"
# Seeds among whose lines is each kind.
ALL_KINDS = 8
# A sign-in page of a hotel, and the host that it leads to.
SIGN_IN, PORTAL = "<html><body>Welcome! Please sign in.</body></html>", "portal.fleet.test"
SENDS_ELSEWHERE = page("302 Found", "", f"Location: https://{PORTAL}/sign-in")

# The resolver's ways, and the ends that a login may have.
RESOLVERS = [
    ("is honest", resolver.honest, {LOGIN}),
    ("is silent", resolver.silent, {AGAIN}),
    ("does not know the name", resolver.denying, {AGAIN}),
    ("fails", resolver.failing, {AGAIN}),
    ("has no address", resolver.empty, {AGAIN}),
    ("babbles", resolver.babbling, {AGAIN}),
    ("leads in a circle", resolver.circling, {AGAIN}),
    ("leads to somebody else", resolver.lying, {AGAIN}),
    ("leads to this machine", resolver.answering_for("127.0.0.1", "::1"), {AGAIN}),
    ("leads to this machine by another form", resolver.answering_for("::ffff:127.0.0.1"), {AGAIN}),
    ("leads to no machine", resolver.answering_for("0.0.0.0", "::"), {AGAIN}),
    ("leads to the cloud's metadata", resolver.answering_for("169.254.169.254"), {AGAIN}),
    ("is slower than a stranger who guesses", resolver.answered_by_a_stranger, {LOGIN}),
    ("leads to somebody else the second time", resolver.rebinding, {LOGIN, AGAIN}),
    ("leads to both", resolver.naming_both, {LOGIN, AGAIN}),
]


class Network(Checks):
    logs = (path("*.log"), path("*.screen"))

    def __init__(self, programs, seeds):
        super().__init__()
        self.programs, self.seeds = programs, seeds
        self.machines = world.build()
        self.machine = self.machines["kiosk1"]
        self.right, self.wrong = self.machines["lb"].address, self.machines["backend1"].address
        self.backend = LoneBackend(programs, self.machines["lb"], "--log-level", "info")
        self.resolver = Resolver(OFFICE)
        self.machine.ask_resolver(OFFICE, "127.0.0.1 localhost\n")
        self.answer(resolver.honest)
        self.line = Line(self.machine)
        # Where the service is not: at somebody else's machine, and at the kiosk's own.
        self.stranger = Front(self.machines["backend1"])
        self.own = Front(self.machine)
        self.kiosk = Kiosk(programs, self.machine)
        # A kiosk takes a card again when it has seen eight other codes.
        self.cards = []
        self.typed = 0

    def answer(self, way):
        self.resolver.answer = way(self.right, self.wrong)

    def register(self):
        write(path("fleet.key"), "0123456789abcdef" * 2)

        def activate(user):
            self.backend.command("activate", user)

        desk = Kiosk(self.programs, self.machine, "desk")
        desk.enroll(BOB, RIGHT_PIN, activate)
        self.cards = [desk.card(BOB) for _ in range(3)]
        self.kiosk.enroll(ALICE, RIGHT_PIN, activate)
        self.kiosk.start()

    def log_in(self, pin=RIGHT_PIN, card=None):
        """As far as the kiosk lets a person go. Returns the end, if the browser agrees with it."""
        browser = Page()
        typed = False
        try:
            self.kiosk.leave()
            if card:
                self.kiosk.hold_up(card)
                self.kiosk.await_screen(CARD_READ)
            self.kiosk.hold_up(browser.picture)
            told = self.kiosk.await_screen(CONSENT, *ENDS, times=2)
            if told == CONSENT:
                self.kiosk.press(ENTER)
                told = self.kiosk.await_screen(PIN, *ENDS, times=2)
            if told == PIN:
                self.kiosk.type_pin(pin)
                typed = True
                self.typed += 1
                self.kiosk.press(ENTER)
                told = self.kiosk.await_screen(*ENDS, times=2)
            if ENDS[told] == LOGIN:
                until(lambda: browser.greets(ALICE), "the browser to greet her")
            elif not browser.greets_nobody_but(ALICE if typed and pin == RIGHT_PIN else None):
                raise AssertionError(f"a browser was logged in, with \"{told}\"")
            return ENDS[told], told
        finally:
            browser.close()

    def restart(self):
        """A kiosk without connections and names of before."""
        self.kiosk.stop()
        self.own.reset()
        self.resolver.asked.clear()
        self.kiosk.start()

    def tried(self, name, ends, greet=None, words=""):
        """One login of a fresh kiosk, where the service may be somebody else."""
        self.restart()
        self.stranger.reset(greet)
        before = os.path.getsize(path(self.kiosk.name + ".log"))
        told, screen = self.log_in()
        with open(path(self.kiosk.name + ".log"), encoding="utf-8", errors="replace") as file:
            log = file.read()[before:]
        self.check(f"{name}: {screen}", told in ends and words in log, log)
        self.check("    and the kiosk's own machine is left alone", self.own.connections == 0, self.own.connections)

    # The parts.

    def names(self):
        stranger = speaking_tls(fronts.context(certificate("stranger", authority="other")))
        for name, way, ends in RESOLVERS:
            self.answer(way)
            self.tried(f"a resolver that {name}", ends, stranger)
            self.check("    and it was asked, and a stranger heard nothing",
                       self.resolver.asked and not self.stranger.heard, self.stranger.heard)
        self.answer(resolver.honest)
        self.tried("an honest one afterwards", {LOGIN})

    def certificates(self):
        self.answer(resolver.lying)
        weak = ["-newkey", "rsa:1024", "-noenc"]
        unknown = "certificate is from an authority that is not known here"
        cases = [
            ("has expired", certificate("past", dates=fronts.PAST), "certificate has expired"),
            ("is not valid yet", certificate("future", dates=fronts.FUTURE), "certificate is not valid yet"),
            ("is for another name", certificate("name", "DNS:other.fleet.test"), "certificate is for another name"),
            ("is for a part of the name", certificate("part", "DNS:fleet.test,DNS:*.test"),
             "certificate is for another name"),
            ("has the name in its subject alone", certificate("subject", None), "subjectAltName"),
            ("is from another authority of the same name", certificate("other", authority="other"), unknown),
            ("signs itself", (path("other.pem"), path("other.key")), unknown),
            ("is signed by a server's", fronts.below_a_server(), ""),
            ("is for clients", certificate("client", extensions="extendedKeyUsage = clientAuth\n"), ""),
            ("has a weak key", certificate("weak", key=weak), ""),
        ]
        for name, files, words in cases:
            self.tried(f"a certificate that {name}", {AGAIN}, speaking_tls(fronts.context(files)), words)
            self.heard_nothing()
        good = certificate("good")
        old = fronts.context(good, ssl.TLSVersion.TLSv1_1)
        for name, greet in [
                ("TLS 1.1", speaking_tls(old)), ("no TLS", plain(b"220 mail.fleet.test ESMTP\r\n")),
                ("a sign-in page without TLS", plain(SENDS_ELSEWHERE)), ("nothing", fronts.mute)]:
            self.tried(f"a server that speaks {name}", {AGAIN}, greet)
            self.heard_nothing()
        # Otherwise what it heard would say nothing.
        self.tried("the same server with a right certificate, without a service", {AGAIN},
                   speaking_tls(fronts.context(good), page("404 Not Found", "")))
        self.check("    which is asked", b"/service" in self.stranger.heard, self.stranger.heard)

    def heard_nothing(self):
        """Nothing but the first message of TLS."""
        heard = self.stranger.heard
        self.check("    and it hears nothing", self.stranger.connections > 0 and heard[:1] in (b"", b"\x16"), heard)

    def portals(self):
        """Pages before the internet, by somebody who has even the service's certificate."""
        self.answer(resolver.lying)
        tls = fronts.context(certificate("portal"))
        for name, reply in [
                ("sends elsewhere", SENDS_ELSEWHERE), ("shows a page", page("200 OK", SIGN_IN)),
                ("demands to sign in", page("511 Network Authentication Required", SIGN_IN)),
                ("demands a password", page("407 Proxy Authentication Required", "", "Proxy-Authenticate: Basic")),
                ("has JSON of its own", page("200 OK", '{"portal": true}', kind="application/json")),
                ("never ends its reply", page("200 OK", "{").replace(b"Length: 1", b"Length: 9")),
                ("does not reply", None)]:
            self.tried(f"a portal that {name}", {AGAIN}, speaking_tls(tls, reply))
            self.check("    and was asked, and leads nowhere", self.stranger.heard and
                       set(self.resolver.asked) == {NAME}, self.resolver.asked)
        self.answer(resolver.honest)
        self.tried("the service afterwards", {LOGIN})

    def bad_lines(self):
        before = self.backend.checked_pins()
        self.typed = 0
        treated, ends = collections.Counter(), collections.Counter()
        for seed in range(self.seeds):
            is_wrong = seed % 4 == 3
            how = weather(seed)
            self.line.set(how, seed)
            told, screen = self.log_in(WRONG_PIN, self.cards[seed // 4 % 3]) if is_wrong else self.log_in()
            treated += self.line.set(FAIR)
            ends[told] += 1
            self.check(f"line {seed}: {screen}", told in ({WRONG, AGAIN} if is_wrong else {LOGIN, AGAIN}), how)
            if is_wrong:
                self.backend.command("unblock", BOB)
        if self.seeds >= ALL_KINDS:
            self.check("frames were lost, doubled, damaged and cut off", len(treated) == 4, treated)
        self.check("some logins succeed", ends[LOGIN] > 0, ends)
        self.check("a good line afterwards", self.log_in()[0] == LOGIN)
        checked = self.backend.checked_pins() - before
        self.check("no PIN is checked twice", 0 < checked <= self.typed, f"{checked} of {self.typed}")

    def ending(self):
        self.check("the kiosk ends when it is told to", self.kiosk.stop() == 0)
        listed = self.kiosk.command("identities", "list")
        self.check("nobody is missing", ALICE in listed, listed)
        for name in (self.kiosk.name + ".log", self.kiosk.name + ".screen", "backend.log"):
            with open(path(name), encoding="utf-8", errors="replace") as file:
                text = file.read()
            self.check(f"no PIN is in {name}", RIGHT_PIN not in text and WRONG_PIN not in text)

    def run(self):
        fronts.another_authority()
        self.part("somebody registers", self.register)
        if self.kiosk.process:
            self.part("resolvers", self.names)
            self.part("certificates", self.certificates)
            self.part("portals", self.portals)
            self.part(f"{self.seeds} bad lines", self.bad_lines)
            self.part("the end", self.ending)
        return self.verdict()


if __name__ == "__main__":
    if len(sys.argv) != 3 or os.getpid() != 1 or not sys.argv[2].isdecimal():
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(Network(sys.argv[1], int(sys.argv[2])).run())
