# SPDX-License-Identifier: Apache-2.0
"""Kiosks that share their people by a database: who enrols at one logs in at all, and that database's plug is pulled."""

import time

from people import AGAIN, ENTER, LATER, LOGIN, NO_STORE, WRONG, Kiosk, Page
from servers import Database
from world import NAME, until

GINA, HANS, ILSE = "gina@example.com", "hans@example.com", "ilse@example.com"
NUMBERS = {GINA: "1", HANS: "2", ILSE: "3"}
PINS = {GINA: "417093", HANS: "860251", ILSE: "295748"}
NEW_PINS = ["538160", "927406"]
WRONG_PIN = "604812"


class SharedPeople:
    """Three kiosks, the third of which keeps no copy, and two desks where an operator gives commands."""

    def __init__(self, fleet):
        self.fleet = fleet
        self.check = fleet.check
        self.database = None
        self.desks = []

    def tell(self):
        self.fleet.part("kiosks that share their people", self.sharing)
        self.fleet.part("a PIN is changed, an identity deleted", self.changing)
        for plug in (Killed(), Restarted(), Paused(), Unplugged()):
            self.fleet.part(f"the database of people {plug.what}", lambda plug=plug: self.pulled(plug))
        self.fleet.part("the database of people is restored, and older", self.restored)

    def kiosk(self, name, number, cache=True):
        store = f"store: {{database: \"{self.database.address}\", cache: {str(cache).lower()}}}\n"
        return Kiosk(self.fleet.programs, self.fleet.machines[f"kiosk{number}"], name, store)

    def log_in(self, kiosk, user, pin=None):
        """A whole login: what the kiosk says, if the browser says the same."""
        page = Page()
        try:
            kiosk.approach(page, pin or PINS[user], number=NUMBERS[user])
            kiosk.press(ENTER)
            told = kiosk.outcome()
            if told == LOGIN:
                until(lambda: page.greets(user), f"the browser to greet {user}")
            elif not page.greets_nobody_but():
                return f"{told}, and the browser is logged in"
            return told
        finally:
            page.close()
            kiosk.leave()

    @staticmethod
    def scan(kiosk):
        """What a kiosk says that serves no person."""
        page = Page()
        try:
            kiosk.leave()
            kiosk.hold_up(page.picture)
            return kiosk.outcome()
        finally:
            page.close()
            kiosk.leave()

    def sharing(self):
        self.fleet.stop_kiosks()
        self.database = Database(self.fleet.machines["people"], "people")
        kiosks = [self.kiosk(f"sharing{number}", number, cache=number != 3) for number in (1, 2, 3)]
        self.desks = [self.kiosk(f"desk{number}", number) for number in (1, 2)]
        for kiosk in kiosks:
            kiosk.start()
        self.fleet.kiosks = kiosks
        for desk, user in ((0, GINA), (1, HANS), (0, ILSE)):
            printed = self.desks[desk].enroll(user, PINS[user], self.fleet.activate)
            self.check(f"{user} enrols at {self.desks[desk].name}", f"enrolled: {user}" in printed, printed)
        for kiosk in kiosks:
            for user in (GINA, HANS):
                told = self.log_in(kiosk, user)
                self.check(f"{user} logs in at {kiosk.name}, which was running already", told == LOGIN, kiosk.told)
        stored = self.database.dump()
        names = [name for word in ("gina", "@example", NAME) for name in (word, word.encode().hex())]
        self.check("the database knows no person's name, and no backend's",
                   not [name for name in names if name in stored])

    def changing(self):
        first, second = self.desks
        code = second.change_pin(GINA, PINS[GINA], NEW_PINS[0])
        self.check(f"gina changes her PIN at {second.name}", code == 0, code)
        old, PINS[GINA] = PINS[GINA], NEW_PINS[0]
        told = [self.log_in(kiosk, GINA, old) for kiosk in self.fleet.kiosks[:2]]
        self.check("the old one is wrong at the other kiosks", told == [WRONG] * 2, told)
        self.check("which is counted", self.fleet.failures(GINA) == [2], self.fleet.failures(GINA))
        told = [self.log_in(kiosk, GINA) for kiosk in self.fleet.kiosks]
        self.check("the new one is right at all kiosks", told == [LOGIN] * 3, told)

        for _ in range(5):
            codes = self.fleet.both(*[lambda desk=desk, pin=pin: desk.change_pin(HANS, PINS[HANS], pin)
                                      for desk, pin in zip(self.desks, NEW_PINS)])
            if 0 in codes:
                break
            # Pass 2 names the identity alone, so that of two logins that begin at the same moment none may be right.
            told = first.one_time_password(HANS, PINS[HANS])
            self.check(f"two desks are in each other's way {codes}, and the PIN stays what it was", told == 0, told)
        # The right one first: it ends the count of wrong ones.
        tries = sorted((PINS[HANS], *NEW_PINS), key=lambda pin: pin not in NEW_PINS or codes[NEW_PINS.index(pin)])
        told = [first.one_time_password(HANS, pin) for pin in (*tries, tries[0])]
        self.check(f"two desks change one PIN at the same moment ({codes[0]}, {codes[1]}): one of them succeeds, and its "
                   "PIN is the only one", codes.count(0) == 1 and told == [0, 80, 80, 0], told)
        PINS[HANS] = tries[0]
        told = [self.log_in(kiosk, HANS) for kiosk in self.fleet.kiosks]
        self.check("it is right at all kiosks", told == [LOGIN] * 3, told)

        code = first.attempt("identities", "delete", "--user", ILSE, "--yes")
        listed = [kiosk.command("identities", "list") for kiosk in (second, *self.fleet.kiosks)]
        self.check("who is deleted at one is known at none", code == 0 and not [one for one in listed if "ilse" in one])
        printed = second.enroll(ILSE, PINS[ILSE], self.fleet.activate)
        self.check(f"ilse enrols again at {second.name}", f"enrolled: {ILSE}" in printed, printed)
        # Her number before is not given again.
        NUMBERS[ILSE] = "4"
        told = [self.log_in(kiosk, ILSE) for kiosk in self.fleet.kiosks]
        self.check("and logs in at all kiosks", told == [LOGIN] * 3, told)

    def pulled(self, plug):
        """PINs are typed at three kiosks and a fourth person is about to enrol when the plug is pulled."""
        first, second, third = self.fleet.kiosks
        pages = [Page() for _ in self.fleet.kiosks]
        user = f"guest-{plug.name}@example.com"
        enrolment, *_ = self.fleet.both(
            lambda: self.desks[0].begin_enrolment(user, self.fleet.activate),
            lambda: first.approach(pages[0], WRONG_PIN, number=NUMBERS[HANS]),
            lambda: second.approach(pages[1], PINS[GINA], number=NUMBERS[GINA]),
            lambda: third.approach(pages[2], PINS[ILSE], number=NUMBERS[ILSE]))

        def enrol():
            return self.desks[0].attempt(*enrolment, input="314605\n")

        def log_in(kiosk):
            kiosk.press(ENTER)
            return kiosk.outcome()

        plug.pull(self.database)
        try:
            if plug.is_short:
                plug.mend(self.database)
            wrong, right, without, code = self.fleet.both(
                *[lambda kiosk=kiosk: log_in(kiosk) for kiosk in self.fleet.kiosks], enrol)
        finally:
            if not plug.is_short:
                plug.mend(self.database)
        self.check("who typed a right PIN at a kiosk with a copy logs in", right == LOGIN, second.told)
        self.check("a wrong PIN there is told and counted", (wrong, self.fleet.failures(HANS)) == (WRONG, [1]), first.told)
        self.check("at a kiosk without a copy the person is told to try again, or logs in",
                   without == AGAIN or (plug.is_short and without == LOGIN), third.told)
        self.check("who enrols does, or is told to try again",
                   code in LATER | {NO_STORE} or (plug.is_short and code == 0), code)
        for page, person, told in zip(pages, (None, GINA, ILSE), (wrong, right, without)):
            if told == LOGIN:
                until(lambda page=page, person=person: page.greets(person), f"the browser to greet {person}")
            else:
                self.check("who was not told of a login has none", page.greets_nobody_but())
            page.close()
        if code != 0:
            until(lambda: enrol() == 0, f"{user} being enrolled")
            self.check("when it is back the one who was to enrol does, without another mail", True)
        told = [self.log_in(kiosk, person) for kiosk, person in zip(self.fleet.kiosks, (HANS, ILSE, GINA))]
        self.check("and all log in with their right PINs", told == [LOGIN] * 3, told)
        left = self.fleet.failures(GINA, HANS, ILSE, user)
        self.check("no right PIN was taken for a wrong one", not any(left), left)

    def restored(self):
        """All kiosks have seen a PIN that the restored database does not know."""
        first, second, third = self.fleet.kiosks
        self.database.back_up()
        old, PINS[GINA] = PINS[GINA], NEW_PINS[1]
        until(lambda: self.desks[0].change_pin(GINA, old, PINS[GINA]) == 0, "gina's new PIN")
        told = [self.log_in(kiosk, GINA) for kiosk in self.fleet.kiosks]
        self.check("gina's new PIN is right at all kiosks", told == [LOGIN] * 3, told)
        self.database.restore()
        told = [self.log_in(first, GINA), self.log_in(second, GINA, old), self.scan(third)]
        self.check("the older database is not believed: the PIN that was seen last counts, and without a copy none",
                   told == [LOGIN, WRONG, AGAIN], told)
        code = self.desks[0].change_pin(HANS, PINS[HANS], WRONG_PIN)
        self.check("and nothing is changed in it", code == NO_STORE, code)
        for kiosk in (*self.fleet.kiosks, *self.desks):
            if kiosk.process:
                kiosk.stop()
            kiosk.command("identities", "accept-restored")
        for kiosk in self.fleet.kiosks:
            kiosk.start()
        told = [self.log_in(kiosk, GINA, old) for kiosk in self.fleet.kiosks]
        self.check("once the operator has accepted it the PIN is the one that it knows", told == [LOGIN] * 3, told)
        PINS[GINA] = old
        told = [self.log_in(kiosk, HANS) for kiosk in self.fleet.kiosks]
        self.check("and the other people log in as before", told == [LOGIN] * 3, told)


class Plug:
    # Whether it is put back before the keys are pressed.
    is_short = False

    @property
    def name(self):
        return type(self).__name__.lower()


class Killed(Plug):
    what = "is killed"

    def pull(self, database):
        database.crash()

    def mend(self, database):
        database.start()


class Restarted(Plug):
    what = "is restarted"
    is_short = True

    def pull(self, database):
        database.stop()

    def mend(self, database):
        database.start()


class Paused(Plug):
    what = "stands still for ten seconds"

    def pull(self, database):
        self.began = time.monotonic()
        database.pause()

    def mend(self, database):
        time.sleep(max(0, self.began + 10 - time.monotonic()))
        database.go_on()


class Unplugged(Plug):
    what = "has no network"

    def pull(self, database):
        database.machine.unplug()

    def mend(self, database):
        database.machine.plug_in()
