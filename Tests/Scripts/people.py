# SPDX-License-Identifier: Apache-2.0
"""A browser, and a kiosk with a person before it who holds things up to its camera and presses keys."""

import http.client
import json
import os
import pty
import re
import ssl
import threading
import time

from programs import grey, show
from world import AUTHORITIES, NAME, end, path, until, write

ENTER, BACK = "\r", "\x7f"
IDLE = "Scan the login QR code"
CARD_READ = "Your personal card was read"
CONSENT = "Do you want to log in here?"
WHO = "Who are you?"
PIN = "Enter your PIN"
# Exit codes of commands that did nothing and may be given again: the service is away, or busy.
LATER = {69, 75}
# The ends of a login, and their meaning to the person. Any other sentence of a screen is no end.
LOGIN, WRONG, AGAIN, BLOCKED = "a login", "a wrong PIN", "try again", "blocked"
ENDS = {
    "Login successful": LOGIN,
    "Wrong PIN": WRONG,
    "You are blocked after too many wrong PINs": BLOCKED,
    "Your card no longer works": BLOCKED,
    "The service cannot be reached. Please try again later.": AGAIN,
    "The service is too busy.": AGAIN,
    "This service is not available.": AGAIN,
    "This service is not set up correctly.": AGAIN,
    "Backend error:": AGAIN,
    "The login did not work.": AGAIN,
    "This code is old. Scan the new one": AGAIN,
    "The browser did not answer in time. Please refresh": AGAIN,
    "No answer came. Look at the browser": AGAIN,
    "No key was pressed, so the login was cancelled.": AGAIN,
    "This device cannot save or read its data.": AGAIN,
}


WALL = grey(0x90, 328, 328)


def ask(method, target, cookie=None, body=None, headers=None):
    """One request through the balancer, on a connection of its own."""
    trusted = ssl.create_default_context(cafile=path("ca.pem"))
    connection = http.client.HTTPSConnection(NAME, timeout=40, context=trusted)
    try:
        connection.request(method, target, body, {**({"Cookie": cookie} if cookie else {}), **(headers or {})})
        reply = connection.getresponse()
        return reply.status, reply.headers, reply.read()
    finally:
        connection.close()


class Page:
    """A login page in a browser of its own, which asks once and again how its login is; of a dialect's endpoint."""

    # Seconds between two questions.
    pause = 0.5

    def __init__(self, endpoint=""):
        self.endpoint = endpoint
        self.cookie = None
        self.asks = threading.Event()
        self.closed = threading.Event()
        self.user = None
        # A person who gets no page loads it again.
        until(lambda: self._get("/" if not endpoint else "")[0] == 200, "the login page", pause=0.5)
        self.picture = until(lambda: self._picture(), "the login page's code", pause=0.5)
        self.asks.set()
        threading.Thread(target=self._poll, daemon=True).start()

    def _picture(self):
        status, content = self._get("/qr.png")
        return content if status == 200 else None

    def _get(self, target):
        try:
            status, headers, content = ask("GET", self.endpoint + target, self.cookie)
        except (OSError, http.client.HTTPException):
            return 0, b""
        for line in headers.get_all("Set-Cookie", []):
            self.cookie = line.split(";")[0]
        return status, content

    def _poll(self):
        while not self.closed.wait(self.pause):
            self.asks.wait()
            self._get("/session")

    def await_login(self):
        """As a page's script does: asks for what is new, and the service holds that back until there is something."""
        answer = {"version": ""}

        def is_logged_in():
            status, content = self._get(f"/session?after={answer['version']}")
            answer.update(json.loads(content) if status == 200 else {})
            return answer.get("state") == "authenticated"

        until(is_logged_in, "the page to hear of the login")

    def greets(self, user):
        """Whether the site knows this browser as the user's."""
        status, content = self._get("/protected")
        return status == 200 and user.encode() in content

    def greets_nobody_but(self, user=None):
        """Whether the site knows this browser as the user's or as nobody's, in one question."""
        status, content = self._get("/protected")
        return status == 401 or (user is not None and status == 200 and user.encode() in content)

    def close(self):
        self.closed.set()
        self.asks.set()


class Kiosk:
    """`login-kiosk` on a machine, with identities and settings of its own."""

    # Seconds between two keys on the way back to the first screen.
    pause = 0.5

    def __init__(self, programs, machine, name=None):
        self.name = name or machine.name
        self.program = os.path.join(programs, "login-kiosk")
        self.machine = machine
        self.places = ["--state", path(self.name), "--config", path(self.name + "-config")]
        self.screen = path(self.name + ".screen")
        self.mark = 0
        self.told = None
        self.process = self.keys = None
        os.mkdir(path(self.name + "-config"), 0o700)
        write(path(self.name + "-config", "config.yaml"),
              f"screen: {{language: en}}\nnetwork: {{ca-file: {path('ca.pem')}}}\n"
              f"fleet: {{key-file: {path('fleet.key')}}}\n"
              f"source: dir,loop,rate=3:{path(self.name + '-camera')}\n")
        # As docs/dtas.md tells the operator: what the backend says may name the second D-TA.
        self.command("trust", "add", f"{NAME} -> {AUTHORITIES[1][0]}")

    def command(self, *arguments, **options):
        places = self.places[2:] if arguments[0] == "trust" else self.places
        return self.machine.run(self.program, *arguments, *places, **options)

    def attempt(self, *arguments, **options):
        """The exit code of a command that may fail."""
        return self.machine.attempt(self.program, *arguments, *self.places, **options).returncode

    def begin_registration(self, user, activate, endpoint=""):
        """As an operator does it, who follows the mail himself. What is left is the PIN."""
        arguments = ["enroll", "--backend", f"https://{NAME}{endpoint}", "--user", user]
        self.attempt(*arguments, "--wait", "0")
        activate(user)
        return arguments

    def enroll(self, user, pin, activate, endpoint=""):
        return self.command(*self.begin_registration(user, activate, endpoint), input=pin + "\n")

    def one_time_password(self, user, pin):
        """The exit code of a login by command: 0, or 80 for a wrong PIN."""
        return self.attempt("otp", "--user", user, input=pin + "\n")

    def change_pin(self, user, old, new):
        """The exit code."""
        return self.attempt("identities", "change-pin", "--user", user, input=f"{old}\n{new}\n")

    def card(self, user):
        """The personal card of a user who is registered here, as a picture."""
        name = path(user + ".png")
        self.command("identities", "card", "--user", user, "--png", name)
        with open(name, "rb") as file:
            return file.read()

    def start(self):
        self.hold_up(WALL)
        self.keys, terminal = pty.openpty()
        self.process = self.machine.start(
            self.program, "run", *self.places, stdin=terminal, stdout=open(self.screen, "wb"),
            stderr=open(path(self.name + ".log"), "wb"))
        os.close(terminal)
        until(lambda: self.shows(IDLE), f"{self.name}'s first screen")

    def stop(self):
        return end(self.process)

    def lines(self):
        with open(self.screen, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()

    def shows(self, text):
        return self.lines()[-1:] and text in self.lines()[-1]

    def has_shown(self, *texts):
        """The first of these texts on a screen since the last key that matters."""
        for line in self.lines()[self.mark:]:
            for text in texts:
                if text in line:
                    return text
        return None

    def await_screen(self, *texts, times=1):
        return until(lambda: self.has_shown(*texts), f"{self.name} to show {' or '.join(texts)}", times=times)

    def press(self, key):
        self.mark = len(self.lines())
        os.write(self.keys, key.encode())

    def hold_up(self, picture):
        show(path(self.name + "-camera"), picture)

    def leave(self):
        """Goes back to the first screen from wherever the last login ended."""
        self.hold_up(WALL)

        def step():
            line = self.lines()[-1]
            if IDLE in line:
                return True
            os.write(self.keys, (ENTER if "[Enter] Continue" in line else BACK).encode())
            time.sleep(self.pause)
            return False

        until(step, f"{self.name}'s first screen")
        self.mark = len(self.lines())

    def approach(self, page, pin, card=None, number=None):
        """Everything before the last OK: the card, the login page, the consent, who it is, the PIN's digits."""
        self.leave()
        if card:
            self.hold_up(card)
            self.await_screen(CARD_READ)
        self.hold_up(page.picture)
        self.await_screen(CONSENT)
        self.press(ENTER)
        if number:
            self.await_screen(WHO)
            self.press(number)
            self.press(ENTER)
        self.await_screen(PIN)
        self.type_pin(pin)

    def type_pin(self, pin):
        """One digit when the one before is on the screen: keys that come together would be taken for pasted."""
        for count, digit in enumerate(pin, start=1):
            os.write(self.keys, digit.encode())
            until(lambda: re.search(r"\| \*{%d}[_ ]" % count, self.lines()[-1]), f"{count} digits at {self.name}")

    def outcome(self):
        """The sentence that the person is told after the last OK, in the kiosk's words in `told`."""
        self.told = self.await_screen(*ENDS)
        return ENDS[self.told]
