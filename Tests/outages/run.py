#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The story that test.sh tells: who registers, who logs in where, and which plug is pulled meanwhile.

usage: run.py DIRECTORY-OF-PROGRAMS, in namespaces of its own: test.sh
"""

import os
import shutil
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

import world
from checks import Checks
from people import AGAIN, BLOCKED, ENTER, LATER, LOGIN, WRONG, Kiosk, Page, ask
from plugs import AUTHORITY_PLUGS, PLUGS, LostDatabase, SilentDatabase
from servers import Authority, Backend, Balancer, Database, Mute, Pooler
from world import AUTHORITIES, NAME, end, path, reaches, until

ALICE, BOB, CAROL = "alice@example.com", "bob@example.com", "carol@example.com"
# They belong to the dialect without time permits: for a login they need no D-TA.
DORA, ERIC = "dora@example.com", "eric@example.com"
WITHOUT_PERMITS = "/milagro-without-permits"
# Has logged in today, so that all shares of today's permit are known.
FRANK = "frank@example.com"
PINS = {ALICE: "739154", BOB: "482615", CAROL: "916283", DORA: "570418", ERIC: "264937", FRANK: "358206"}
WRONG_PIN = "835027"
NEW_PIN = "641903"
# The times that HAProxy sends a request that it may repeat, while nothing answers: once, and `retries` times again.
REPEATED = 3
REQUESTS = [
    ("POST", "/rps/pass1", 1), ("POST", "/rps/pass2", 1), ("POST", "/rps/authenticate", 1), ("PUT", "/rps/user", 1),
    ("POST", "/trust-2025/rps/v2/pass2", 1), ("POST", "/rps/codeStatus", 1), ("POST", "/service", 1),
    ("GET", "/rps/signature/00?regOTT=1", 1), ("GET", "/session", 1), ("GET", "/", 1), ("GET", "/login?code=1", 1),
    ("GET", "/service", REPEATED), ("GET", "/rps/clientSettings", REPEATED), ("GET", "/rps/timePermit/00", REPEATED),
    ("GET", "/trust-2025/.well-known/jwks", REPEATED),
]


class Fleet(Checks):
    logs = (path("*.log"), path("*.screen"))

    def __init__(self, programs):
        super().__init__()
        self.machines = world.build()
        self.balancer = Balancer(self.machines["lb"])
        self.authorities = [Authority(programs, number, self.machines[f"dta{number}"]) for number in (1, 2)]
        self.backends = [Backend(programs, self.machines[name]) for name in ("backend1", "backend2")]
        self.kiosks = []
        # Where an operator sits and gives commands, with identities of its own; on kiosk1's machine.
        self.desk = self.latecomer = None
        self.cards = {}
        self.database = self.standby = None
        self.programs = programs

    # For all parts.

    def both(self, *actions):
        """Does things at the same moment."""
        with ThreadPoolExecutor(len(actions)) as pool:
            return [result.result() for result in [pool.submit(action) for action in actions]]

    def await_backends(self):
        for backend in self.backends:
            until(backend.is_ready, f"{backend.name} being ready")
        self.balancer.await_state("UP", *[backend.name for backend in self.backends])

    def failures(self, *users):
        """The number of wrong PINs in a row that are counted for each."""
        return self.backends[0].failures(*users)

    def checked_pins(self):
        return [backend.checked_pins() for backend in self.backends]

    def activate(self, user):
        return self.backends[1].command("activate", user)

    def log_in(self, kiosk, user, **who):
        """A whole login with the right PIN: what the kiosk says, if the browser says the same."""
        page = Page()
        try:
            kiosk.approach(page, PINS[user], **who)
            kiosk.press(ENTER)
            told = kiosk.outcome()
            if told == LOGIN:
                until(lambda: page.greets(user), f"the browser to greet {user}")
            return told
        finally:
            page.close()
            kiosk.leave()

    def log_in_by_card(self, kiosk, user):
        return self.log_in(kiosk, user, card=self.cards[user])

    # The parts.

    def configuration(self):
        self.check("HAProxy takes deploy/fleet/haproxy.cfg as it is", "valid" in self.balancer.check())

    def sent_once(self):
        """Checks the times that HAProxy sends a request that a backend takes and does not answer."""
        mutes = [Mute(self.machines[backend.name]) for backend in self.backends]
        self.balancer.start()
        self.await_backends()
        for method, target, times in REQUESTS:
            status = ask(method, target, body="{}" if method in ("POST", "PUT") else None)[0]
            heard = sum(mute.count(f"{method} {target}") for mute in mutes)
            often = "once" if times == 1 else f"{times} times"
            self.check(f"{method} {target.split('?')[0]} without an answer is sent {often}",
                       (status, heard) == (502, times), f"{status}, {heard} times")
        end(mutes[0].process)
        for number in range(6):
            ask("POST", f"/taken/{number}", body="{}")
        heard = [mutes[1].count(f"POST /taken/{number}") for number in range(6)]
        self.check("what one backend does not take the other one gets, once", heard == [1] * 6, heard)
        end(mutes[1].process)
        self.balancer.await_state("DOWN", *[backend.name for backend in self.backends])
        status, headers, _ = ask("POST", "/rps/pass2", body="{}")
        self.check("without a backend there is 503 with Retry-After",
                   (status, headers["Retry-After"]) == (503, "1"), status)
        self.balancer.stop()

    def serving(self):
        self.database = Database(self.machines["db"], "kiosk")
        for backend in self.backends:
            backend.database = self.database.address
        first, second = self.backends
        for authority in self.authorities:
            authority.start()
            first.receive(authority)
        first.start()
        # Its keys are there before it listens.
        until(first.is_ready, f"{first.name} being ready")
        shutil.copytree(first.state, second.state, ignore=shutil.ignore_patterns("outbox-address"))
        second.start()
        self.balancer.start()
        self.await_backends()
        self.check("a second backend joins with a copy of the first one's keys", second.process.poll() is None)
        for authority in self.authorities:
            found = [name for backend in self.backends for name in backend.holds(authority.half())]
            self.check(f"no file of a backend holds the half of D-TA {authority.number}", not found, found)
        halves = [os.listdir(authority.state) for authority in self.authorities]
        self.check("each D-TA has one half", halves == [["dta1"], ["dta2"]], halves)
        seen = {name: [self.machines[name].within(lambda place=place: reaches(*place)) for place in AUTHORITIES]
                for name in ("backend1", "backend2", "kiosk1", "lb")}
        self.check("the backends reach both D-TAs, kiosk and balancer the second one alone",
                   seen == {name: [name.startswith("backend"), True] for name in seen}, seen)

    def registration(self):
        with open(os.open(path("fleet.key"), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(32))
        self.kiosks = [Kiosk(self.programs, self.machines[f"kiosk{number}"]) for number in (1, 2, 3)]
        home = self.kiosks[0]
        for user in (ALICE, BOB, CAROL):
            printed = home.enroll(user, PINS[user], self.activate)
            self.check(f"{user} registers at {home.name}", f"registered: {user}" in printed, printed)
            self.cards[user] = home.card(user)
        given = [authority.given("client secret") for authority in self.authorities]
        self.check("each D-TA gave one share of each person's secret", given == [3, 3], given)
        for kiosk in self.kiosks:
            kiosk.start()

    def logins(self):
        home, *others = self.kiosks
        self.check(f"alice logs in at {home.name}", self.log_in(home, ALICE, number="1") == LOGIN)
        for kiosk in others:
            for user in (ALICE, BOB):
                self.check(f"{user} logs in at {kiosk.name} with a card", self.log_in_by_card(kiosk, user) == LOGIN)
            kept = kiosk.command("identities", "list")
            self.check(f"{kiosk.name} keeps none of those who came with cards", "@" not in kept, kept)
        given = [authority.given("time permit") for authority in self.authorities]
        # A backend keeps the first share for the day; a kiosk the second one, for those whom it knows.
        self.check("the D-TAs gave shares of today's permits: at most one a backend and person, one a card",
                   2 <= given[0] <= 4 and given[1] == 5, given)

    def addresses(self):
        """Ten wrong passwords of an address: further ones of it are refused, whatever it says where it comes from."""
        def guess(claimed=None):
            headers = {"Origin": f"https://{NAME}", "Content-Type": "application/x-www-form-urlencoded"}
            return ask("POST", "/operator/login", body="password=wrong",
                       headers={**headers, **({"X-Forwarded-For": claimed} if claimed else {})})[0]

        at_kiosk = self.machines["kiosk1"].within
        heard = [at_kiosk(guess) for _ in range(11)]
        self.check("both backends count one address's tries together", heard == [401] * 10 + [429], heard)
        claimed = at_kiosk(lambda: guess("192.0.2.99"))
        self.check("it is refused when it claims to be another address, too", claimed == 429, claimed)
        self.check("another address is not refused", guess() == 401)

    def counting(self):
        """Two wrong PINs of one person at the same moment, each at a process of its own; then the third."""
        home, *others = self.kiosks
        self.balancer.stop()
        self.balancer.start(pinned={kiosk.name: backend.name for kiosk, backend in zip(others, self.backends)})
        self.await_backends()

        def press_together():
            for kiosk in others:
                kiosk.press(ENTER)

        told, checked = self.wrong_at_both(press_together)
        [counted] = self.failures(CAROL)
        self.check(f"two wrong PINs at once ({told[0]}, {told[1]}): what is told, checked and counted is the same",
                   set(told) <= {WRONG, AGAIN} and told.count(WRONG) == sum(checked) == counted,
                   f"{checked}, {counted}")
        told = self.log_in(home, CAROL, number="3")
        self.check("a right PIN ends the count", told == LOGIN and self.failures(CAROL) == [0], told)

        def press_in_turn():
            # Two of one identity that overlap are not both checked. The second comes as soon as the first one is.
            before = self.checked_pins()
            others[0].press(ENTER)
            until(lambda: self.checked_pins() != before, "the first verdict", pause=0.001)
            others[1].press(ENTER)

        told, checked = self.wrong_at_both(press_in_turn)
        self.check("two wrong PINs, one right after the other, are told at both kiosks", told == [WRONG] * 2, told)
        self.check("each of the two backends checked one", checked == [1, 1], checked)
        self.check("they count as two", self.failures(CAROL) == [2], self.failures(CAROL))
        page = Page()
        home.approach(page, WRONG_PIN, number="3")
        home.press(ENTER)
        told = home.outcome()
        self.check("the third wrong PIN blocks", (told, self.failures(CAROL)) == (BLOCKED, [3]), told)
        self.check("it logged no browser in", page.greets_nobody_but())
        page.close()
        told = self.log_in_by_card(others[0], CAROL)
        self.check("who is blocked is refused with the right PIN", told == BLOCKED, told)
        self.balancer.stop()
        self.balancer.start()
        self.await_backends()

    def killed_while_checking(self):
        """Kills the process that checks a wrong PIN; the person tries again."""
        _, second, third = self.kiosks
        page = Page()
        third.approach(page, WRONG_PIN, card=self.cards[BOB])
        waiting = ("FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE identity%'"
                   " AND datname = 'kiosk'")
        claims = "SELECT count(*) FROM login_kiosk.identity WHERE claim IS NOT NULL"
        with self.database.without_verdicts():
            third.press(ENTER)
            until(lambda: self.database.value(f"SELECT count(*) {waiting}") == "1", "a verdict", pause=0.05)
            address = self.database.value(f"SELECT host(client_addr) {waiting}")
            [checker] = [backend for backend in self.backends if backend.machine.address == address]
            end(checker.process, signal.SIGKILL)
            # As if the network had kept it: it never came.
            self.database.value(f"SELECT pg_terminate_backend(pid, 5000) {waiting}")
        count = self.database.value(claims)
        self.check("the killed process leaves a claim behind", count == "1", count)
        told = third.outcome()
        self.check("its verdict is told to no one", told == AGAIN, third.told)
        # The claim ends by itself, fifteen seconds after it was made.
        limit = time.monotonic() + 60
        while (told := self.log_in_by_card(second, BOB)) == AGAIN and time.monotonic() < limit:
            time.sleep(1)
        self.check("the person logs in at another kiosk, by another process", told == LOGIN, told)
        count = self.database.value(claims)
        self.check("and no claim is left", count == "0" and self.failures(BOB) == [0], count)
        self.check("the wrong PIN logged no browser in", page.greets_nobody_but())
        page.close()
        checker.start()
        self.await_backends()

    def wrong_at_both(self, press):
        """Carol's card and a wrong PIN at two kiosks: what each tells, and how many PINs each process has checked."""
        others, pages = self.kiosks[1:], [Page(), Page()]
        before = self.checked_pins()
        self.both(*[lambda kiosk=kiosk, page=page: kiosk.approach(page, WRONG_PIN, card=self.cards[CAROL])
                    for kiosk, page in zip(others, pages)])
        press()
        told = self.both(*[kiosk.outcome for kiosk in others])
        self.check("the two wrong PINs logged no browser in", all([page.greets_nobody_but() for page in pages]))
        for page in pages:
            page.close()
        return told, [after - one for one, after in zip(before, self.checked_pins())]

    # D-TAs that are away.

    def desks(self):
        """People at an operator's desk; whose commands are served by the first backend from here on."""
        self.balancer.stop()
        self.balancer.start(pinned={"kiosk1": self.backends[0].name})
        self.await_backends()
        self.desk = Kiosk(self.programs, self.machines["kiosk1"], "desk")
        for user in (DORA, ERIC):
            self.desk.enroll(user, PINS[user], self.activate, WITHOUT_PERMITS)
            self.cards[user] = self.desk.card(user)
        self.desk.enroll(FRANK, PINS[FRANK], self.activate)
        self.check("frank logs in with a one-time password, and has today's permit", self.one_time_password(FRANK) == 0)
        changed = self.desk.change_pin(FRANK, PINS[FRANK], NEW_PIN)
        told = [changed, self.one_time_password(FRANK), self.one_time_password(FRANK, NEW_PIN)]
        self.check("frank changes his PIN: then the old one is wrong, and the new one right", told == [0, 80, 0], told)
        PINS[FRANK] = NEW_PIN
        self.latecomer, registration = self.newcomer("latecomer")
        code = self.desk.attempt(*registration, input=PINS[self.latecomer] + "\n")
        self.check("one more registers, and has no permit yet", code == 0, code)

    def newcomer(self, name):
        """A person whose mail was followed, so that the registration waits for the PIN; and the command for that."""
        user = f"{name}@example.com"
        PINS[user] = WRONG_PIN
        return user, self.desk.begin_registration(user, self.activate)

    def one_time_password(self, user, pin=None):
        return self.desk.one_time_password(user, pin or PINS[user])

    def authority_pulled(self, plug):
        """A right and a wrong PIN are typed and a third person is about to register, when a D-TA goes."""
        authority = self.authorities[plug.number - 1]
        _, second, third = self.kiosks
        right, wrong = Page(WITHOUT_PERMITS), Page(WITHOUT_PERMITS)
        (user, registration), *_ = self.both(
            lambda: self.newcomer(f"newcomer{AUTHORITY_PLUGS.index(plug)}"),
            lambda: second.approach(right, PINS[DORA], card=self.cards[DORA]),
            lambda: third.approach(wrong, WRONG_PIN, card=self.cards[ERIC]))

        def register():
            return self.desk.attempt(*registration, input=PINS[user] + "\n")

        def log_in(kiosk):
            kiosk.press(ENTER)
            return kiosk.outcome()

        plug.pull(self, authority)
        try:
            if plug.starts_a_backend:
                self.starts_without(self.backends[1])
            told, heard, codes = self.both(
                lambda: log_in(second), lambda: log_in(third),
                lambda: [register(), self.one_time_password(FRANK), self.one_time_password(self.latecomer)])
            self.check("who needs no permit logs in", told == LOGIN, second.told)
            self.check("a wrong PIN is told and counted", heard == WRONG and self.failures(ERIC) == [1], third.told)
            self.check("who registers is told to try again", codes[0] in LATER, codes)
            if plug.number == 2 and plug.has_other_half:
                # A backend cannot tell who knows a share of today's permit already.
                self.check("who needs a permit is told to try again", codes[1] in LATER, codes)
            else:
                self.check("who has logged in today, so that the permit is known, logs in again", codes[1] == 0, codes)
            self.check("who has not logged in today is told to try again", codes[2] in LATER, codes)
        finally:
            plug.mend(self, authority)
        self.the_browser_agrees(right, DORA, told)
        self.check("the wrong PIN logged no browser in", wrong.greets_nobody_but())
        wrong.close()

        until(lambda: register() == 0, f"{user} being registered")
        self.check("when it is back the one who was to register does, without another mail", True)
        codes = [self.one_time_password(one) for one in (self.latecomer, FRANK, ERIC)]
        self.check("and all others log in with their right PINs", codes == [0, 0, 0], codes)
        left = self.failures(DORA, ERIC, FRANK, self.latecomer, user)
        self.check("no right PIN was taken for a wrong one", not any(left), left)
        # The person who has registered now and not logged in is the latecomer of the next plug.
        self.latecomer = user
        self.await_backends()

    def starts_without(self, backend):
        end(backend.process, signal.SIGKILL)
        backend.start()
        until(backend.readiness, f"{backend.name} to listen")
        self.balancer.await_state("DOWN", backend.name)
        self.check("a backend that starts meanwhile is not ready, and HAProxy sends it nothing",
                   backend.readiness() == 503, backend.readiness())

    def after_desks(self):
        code = self.one_time_password(self.latecomer)
        self.check("the last one who registered logs in", code == 0, code)
        self.balancer.stop()
        self.balancer.start()
        self.await_backends()

    def pulled(self, plug):
        self.while_typed(plug)
        if plug.is_pulled_late:
            self.while_checked(plug)
        self.while_waiting(plug)

    def while_typed(self, plug):
        """A right and a wrong PIN are typed, the plug is pulled, both press OK."""
        def press():
            plug.pull(self, self.backends[0])
            self.kiosks[1].press(ENTER)
            self.kiosks[2].press(ENTER)

        self.meanwhile(plug, press, "before OK", plug.right, plug.wrong)

    def while_checked(self, plug):
        """The plug is pulled when the proof of the wrong PIN has been sent, and is about to be checked."""
        def press():
            third = self.kiosks[2]
            before = self.balancer.successes(third.machine)
            third.press(ENTER)
            self.kiosks[1].press(ENTER)
            until(lambda: self.balancer.successes(third.machine) >= before + 2, "pass 1 and pass 2", pause=0.001)
            plug.pull(self, self.backends[0])

        self.meanwhile(plug, press, "after OK", (LOGIN, AGAIN), (WRONG, AGAIN))

    def meanwhile(self, plug, press, moment, for_right, for_wrong):
        """Alice types her PIN and Bob a wrong one; what both are told, and what is left of it."""
        _, second, third = self.kiosks
        right, wrong = Page(), Page()
        self.both(lambda: second.approach(right, PINS[ALICE], card=self.cards[ALICE]),
                  lambda: third.approach(wrong, WRONG_PIN, card=self.cards[BOB]))
        try:
            press()
            plug.at_once(self)
            told = self.both(second.outcome, third.outcome)
        finally:
            plug.mend(self)
        self.check(self.reading(f"pulled {moment}", "the right PIN", told[0], second), told[0] in for_right)
        self.check(self.reading(f"pulled {moment}", "a wrong PIN", told[1], third), told[1] in for_wrong)
        self.the_browser_agrees(right, ALICE, told[0])
        self.check("the wrong PIN logged no browser in", wrong.greets_nobody_but())
        wrong.close()
        [counted] = self.failures(BOB)
        self.check("the wrong PIN is counted once; not at all only where no verdict was told",
                   counted == 1 or (counted == 0 and told[1] == AGAIN), counted)
        self.next_tries()

    def while_waiting(self, plug):
        """The PIN was right, and the plug is pulled while the device waits for its browser."""
        second = self.kiosks[1]
        page = Page()
        second.approach(page, PINS[ALICE], card=self.cards[ALICE])
        page.asks.clear()
        before = self.checked_pins()
        second.press(ENTER)
        until(lambda: self.checked_pins() != before, "the verdict on the PIN")
        holder = self.backends[0 if self.checked_pins()[0] != before[0] else 1]
        try:
            plug.pull(self, holder)
            page.asks.set()
            plug.at_once(self)
            told = second.outcome()
        finally:
            plug.mend(self)
        self.check(self.reading("pulled while the kiosk waits for the browser", "the right PIN", told, second),
                   told in plug.waiting)
        self.the_browser_agrees(page, ALICE, told)
        self.next_tries()

    @staticmethod
    def reading(moment, typed, told, kiosk):
        return f"{moment}: who typed {typed} reads \"{kiosk.told.rstrip(':')}\", which is {told}"

    def the_browser_agrees(self, page, user, told):
        if told == LOGIN:
            until(lambda: page.greets(user), f"the browser to greet {user}")
        self.check("the browser of who typed the right PIN is that person's, or nobody's", page.greets_nobody_but(user))
        page.close()

    def next_tries(self):
        _, second, third = self.kiosks
        told = self.both(lambda: self.log_in_by_card(second, ALICE), lambda: self.log_in_by_card(third, BOB))
        self.check("when it is mended both log in with their right PINs", told == [LOGIN] * 2, told)
        left = self.failures(ALICE, BOB)
        self.check("and no wrong PIN is counted any more", left == [0, 0], left)

    # The programs between backends and PostgreSQL, or in its place.

    def serve_from(self, address, *backends):
        """Starts backends with another address of the database."""
        for backend in backends:
            end(backend.process, signal.SIGKILL)
            backend.database = address
            backend.start()

    def pooled(self):
        first = self.backends[0]
        pooler = Pooler(self.database, "transaction")
        self.serve_from(pooler.address, first)
        until(lambda: first.process.poll() is not None, f"{first.name} to end")
        told = first.count_of("pool_mode = session")
        self.check("a backend does not start with PgBouncer in transaction mode, and says why",
                   (first.process.returncode, told) == (69, 1), f"{first.process.returncode}, {told}")
        end(pooler.process)
        pooler = Pooler(self.database, "session")
        self.serve_from(pooler.address, *self.backends)
        self.await_backends()
        told = self.log_in_by_card(self.kiosks[1], ALICE)
        self.check("in session mode alice logs in through it", told == LOGIN, told)
        self.serve_from(self.database.address, *self.backends)
        self.await_backends()
        end(pooler.process)

    def gone_without_a_word(self):
        """The primary's machine is the first that the backends' address names, and stays away."""
        self.standby = Database(self.machines["db2"], "kiosk", self.database)
        self.serve_from(self.standby.address, *self.backends)
        self.await_backends()
        self.while_waiting(SilentDatabase())
        self.listens_at_the_new_server()

    def taken_over(self):
        """Back to the first machine."""
        self.standby.machine.speak()
        self.standby.follow(self.database)
        self.while_typed(LostDatabase())
        self.listens_at_the_new_server()

    def listens_at_the_new_server(self):
        listening = ("SELECT count(DISTINCT client_addr) FROM pg_stat_activity"
                     " WHERE query LIKE 'LISTEN %' AND datname = 'kiosk'")
        until(lambda: self.database.value(listening) == "2", "both backends to listen at the new server")
        self.check("both backends listen at the server that took over", True)
        kiosk, (holder, checker) = self.kiosks[1], self.backends
        self.balancer.stop()
        self.balancer.start(pinned={"office": holder.name, kiosk.name: checker.name})
        self.await_backends()
        page = Page()
        kiosk.approach(page, PINS[ALICE], card=self.cards[ALICE])
        page.asks.clear()
        before = self.checked_pins()
        kiosk.press(ENTER)
        page.await_login()
        checked = [after - one for one, after in zip(before, self.checked_pins())]
        self.check("a page that waits at one backend hears of a login that ended at the other",
                   (kiosk.outcome(), checked) == (LOGIN, [0, 1]), f"{kiosk.told}, {checked}")
        self.the_browser_agrees(page, ALICE, LOGIN)
        self.balancer.stop()
        self.balancer.start()
        self.await_backends()

    def stop_kiosks(self):
        for kiosk in self.kiosks:
            self.check(f"{kiosk.name} ends when it is told to", kiosk.stop() == 0)

    def the_end(self):
        self.stop_kiosks()
        with open(path("haproxy.log"), encoding="utf-8") as file:
            log = file.read()
        self.check("HAProxy's log has requests and no path",
                   " POST 200 " in log and "/rps" not in log and "OTT" not in log)

    def run(self):
        self.part("HAProxy's configuration", self.configuration)
        self.part("what HAProxy sends again", self.sent_once)
        self.part("two backends on one database", self.serving)
        self.part("registration at one kiosk", self.registration)
        self.part("logins at all kiosks", self.logins)
        self.part("addresses behind HAProxy", self.addresses)
        self.part("wrong PINs at two processes", self.counting)
        self.part("a process is killed while it checks a PIN", self.killed_while_checking)
        self.part("people at the operator's desk", self.desks)
        for plug in AUTHORITY_PLUGS:
            self.part(plug.name, lambda plug=plug: self.authority_pulled(plug))
        self.part("both D-TAs are there", self.after_desks)
        for plug in PLUGS:
            self.part(plug.name, lambda plug=plug: self.pulled(plug))
        self.part("a pooler", self.pooled)
        self.part(SilentDatabase.name, self.gone_without_a_word)
        self.part(LostDatabase.name, self.taken_over)
        self.part("the end", self.the_end)
        return self.verdict()


if __name__ == "__main__":
    if len(sys.argv) != 2 or os.getpid() != 1:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(Fleet(sys.argv[1]).run())
