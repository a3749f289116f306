#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kiosk's page in a real browser, and a login on it from end to end.

A Chromium shows the reference backend's login page in one window and the kiosk's page in another. What the kiosk's camera
sees is a screenshot of the first; the keys are pressed on the kiosk's terminal, at the end on the page itself. Then a
document is signed at a backend of the newest dialect. Pictures of every state go to a folder.

usage: run.py DIRECTORY-OF-PROGRAMS FOLDER-FOR-PICTURES
"""

import contextlib
import os
import re
import statistics
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

from form_post import FormPost
from operator_page import OperatorPage
from patience import until
from pictures import LEAST_CROWDED, LEAST_LETTERS, SIZES, Album
from programs import Backend, Files, Kiosk, free_port, grey
from webdriver import Browser

USER = "alice@example.com"
PIN = "739154"
ENTER, BACK, CLEAR, MENU = "\r", "\x7f", "\x15", "\t"
DARK = grey(0)
CATALOGUES = os.path.join(os.path.dirname(__file__), "../../Sources/Kiosk/Signage/Words/*.yaml")
STAGES = os.path.join(os.path.dirname(__file__), "../../Sources/Kiosk/KioskPorts/KioskView.swift")
CATALOGUE = os.path.join(os.path.dirname(__file__), "../../Sources/Kiosk/Signage/PromptCatalogue.swift")
# In the order in which the language key shows them.
with open(CATALOGUE, encoding="utf-8") as source:
    LANGUAGES = re.findall(r'PromptCatalogue\("(\w+)"', source.read())
# On the idle screen.
NEXT_LANGUAGE, THE_MENU, TYPE_A_CODE = "2", "1", "0"
# In the menu.
ONE_TIME_PASSWORD, MY_IDENTITY, REGISTER_BY_MAIL, SIGN = "2", "4", "6", "7"
# At a success after which the browser can be logged out.
LOG_OUT = "1"
# At the end of a registration.
TAKE_A_CARD = "1"
# Of the newest dialect, where the server says how many digits a PIN has.
SHORT_PIN = PIN[:4]
DOCUMENT = os.path.join(os.path.dirname(__file__), "../flows/loan.txt")

# Lets the page stay at a stage when it has come to it, and go on.
HOLD = """
const stage = arguments[0];
window.shown ??= show;
window.newest = view;
show = (next) => {
  window.newest = next;
  if (view.stage !== stage) window.shown(next);
};
"""
RELEASE = "show = window.shown; show(window.newest);"

# Names that a stranger may give a service: wide, high, from right to left, without a place to break.
SHORTENED_NAMES = ["W" * 64, "\U0001f600" * 64, "Z" + "\u0301\u0316" * 127, "\u0628\u0646\u0643 " * 16, "a@" * 32]
ENDLESS_NAMES = ["\U0001f600" * 4000, "\u202e\u2067moc.elpmaxe" * 300, "\u200b\u2060\ufeff" * 1000, "W" * 4000,
                 ("Z" + "\u0301" * 400 + "\n") * 10]
# Keys that are not on the screen whole, or that something lies over.
COVERED = """
show(arguments[0]);
const found = [];
for (const key of document.querySelectorAll(".key, #pad button")) {
  if (key.closest("[hidden]")) continue;
  const { left, top, right, bottom } = key.getBoundingClientRect();
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) found.push("a key beyond the edge");
  for (const [x, y] of [[left + 4, top + 4], [(left + right) / 2, (top + bottom) / 2], [right - 4, bottom - 4]]) {
    if (!key.contains(document.elementFromPoint(x, y))) found.push("something lies over the key " + key.textContent);
  }
}
if (document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight) found.push("beyond the edge");
return found;
"""


def step(text):
    print(text, flush=True)


class Test:
    def __init__(self, binaries, folder, scratch):
        self.files = Files(scratch, binaries)
        self.browser = Browser()
        self.kiosk_window = self.browser.window()
        # The window is not as large as the page that it is told to show; a browser that enlarges the page makes it smaller.
        self.browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            Object.defineProperty(window, "outerWidth", { get: () => innerWidth * (window.enlarged ?? 1) });
            """)
        self.login_window = self.browser.new_window()
        self.album = Album(self.browser, folder, CATALOGUES)
        self.port = free_port()
        self.kiosk = None
        self.backend = None
        self.platform = None
        # With the entry that is there only where the operator wants it: the numbers below count it.
        self.settings = "menu: {registration-code: true}\n"
        self.card = b""
        self.count = 0
        self.seen = set()

    # The two windows.

    def at_kiosk(self):
        self.browser.switch(self.kiosk_window)

    def at_login(self):
        self.browser.switch(self.login_window)

    def show_login_page(self):
        """Holds the login page, as the browser shows it now, to the kiosk's camera."""
        self.at_login()
        self.browser.resize(800, 600)
        self.browser.wait("document.querySelector('#qr')?.complete", "the code on the login page")
        picture = self.browser.picture()
        self.files.show(picture)
        self.at_kiosk()

    # The kiosk.

    def start(self, *arguments):
        self.kiosk = Kiosk(self.files, self.port, *arguments)

    def stop(self):
        errors = self.kiosk.end()
        self.kiosk = None
        return errors

    def wait(self, stage, more="true"):
        self.browser.wait(f"view?.stage === '{stage}' && ({more})", f"the kiosk's page at {stage} with {more}")

    def type_pin(self, stage, digits, typed=0):
        """One digit when the one before is on the page: keys that arrive together would be taken for pasted."""
        for count, digit in enumerate(digits, start=typed + 1):
            self.kiosk.press(digit)
            self.wait(stage, f"view.entry.count === {count}")

    def picture(self, name, stage, more="true"):
        """Waits for a state and takes its pictures while the kiosk stands still: some states are short."""
        self.wait(stage, more)
        self.kiosk.hold()
        self.take(name, stage)
        self.kiosk.go_on()

    def take(self, name, stage):
        self.album.take(f"{self.count:02}-{name}")
        self.count += 1
        self.seen.add(stage)

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).textContent", selector)

    # The tests.

    def nothing_is_trusted(self):
        step("without a trusted service the page says what to do")
        self.files.show(DARK)
        self.start()
        self.at_kiosk()

        def opens():
            try:
                self.browser.open(f"http://127.0.0.1:{self.port}/")
                return True
            except RuntimeError:
                return False

        # The page may come before the kiosk serves it.
        until(opens, "the kiosk's page")
        self.picture("first-run", "firstRun", "document.querySelector('#lines').textContent.includes('kiosk setup')")
        self.stop()
        self.browser.wait("view.stage === 'stopped'", "the page without its kiosk")
        self.take("stopped", "stopped")

    def an_operator_sets_it_up(self):
        step("a kiosk without an operator shows its key, and takes a profile from its camera")
        self.files.configure(self.settings + "provisioning: {wanted: true}\n")
        self.files.show(DARK)
        self.start()
        self.at_kiosk()
        self.picture("waiting-for-a-profile", "setup", "document.querySelector('#code svg')")
        number = self.text("#lines")
        self.stop()
        key, trusted, card = (self.files.path(name) for name in ["operator.key", "trusted.txt", "profile.png"])
        with open(trusted, "w", encoding="utf-8") as file:
            file.write("login.example.com\n")
        self.files.run("fleet", "operator-key", key)
        self.files.run("fleet", "card", "--operator-key", key, "--name", "City library", "--trust", trusted, "--png", card)
        self.start()
        self.wait("setup")
        assert self.text("#lines") == number, "another number at the next start"
        with open(card, "rb") as file:
            self.files.show(file.read())
        self.picture("whose-profile", "setupQuestion")
        assert "City library" in self.text("#lines"), self.text("#lines")
        self.kiosk.press(ENTER)
        self.picture("set-up", "settingUp", "view.tone === 'success'")
        self.files.show(DARK)
        self.wait("scan")
        self.stop()

    def everything_is_deleted(self):
        step("the operator's keys, in the first seconds, delete everything")
        self.files.configure(self.settings + "provisioning: {wanted: true}\nreset: {keys: clear 7 4 menu 1 9}\n")
        keys = CLEAR + "74" + MENU + "19"
        self.start()
        self.wait("scan")
        self.kiosk.press(keys)
        self.picture("delete-everything", "resetQuestion")
        self.kiosk.press(ENTER)
        self.picture("delete-again", "resetQuestion", "view.keys.length === 1")
        self.kiosk.press(keys)
        self.picture("everything-is-deleted", "resetting", "view.tone === 'success'")
        # It ends to be restarted.
        self.kiosk.process.wait(timeout=60)
        assert self.kiosk.process.returncode == 75, self.kiosk.process.returncode
        self.kiosk = None
        self.start()
        self.wait("setup")
        self.stop()
        self.files.configure(self.settings)

    def the_scan_screen(self):
        step("the page comes back by itself; the camera's picture and its hint; five languages")
        self.start()
        # On Ctrl-C of the first kiosk the page stayed open.
        self.wait("scan", "document.querySelector('#preview').naturalWidth === 320")
        self.picture("too-dark", "scan", "!document.querySelector('#hint').hidden")
        self.no_finger_moves_the_page()
        for language in LANGUAGES[1:] + LANGUAGES[:1]:
            self.kiosk.press(NEXT_LANGUAGE)
            self.browser.wait(f"document.documentElement.lang === '{language}'", f"the page in {language}")
            if language != "en":
                self.picture(f"scan-{language}", "scan")
        self.kiosk.press(THE_MENU)
        self.picture("menu", "menu")
        self.kiosk.press(BACK)
        self.wait("scan")
        self.how_soon_it_is_there()
        self.stop()

    def no_finger_moves_the_page(self):
        """Two fingers would zoom it, and a swipe leave it. The browser's own gestures are no proof here: without a touch
        panel they zoom no page."""
        style = self.browser.run("const style = getComputedStyle(document.documentElement);"
                                 "return [style.touchAction, style.overscrollBehavior]")
        assert style == ["none", "none"], style

    def the_login_page_asks(self):
        """After an answer with news the page asks at once, and after one that came early without news in a second."""
        step("when the login page asks for news")
        self.at_login()
        script = self.browser.command("Page.addScriptToEvaluateOnNewDocument", source="""
            const answers = ["a", "b", "b", null, "c"];
            const wait = window.setTimeout;
            window.pauses = [];
            window.fetch = async () => {
              const version = answers.shift();
              if (version === null) throw new TypeError("no connection");
              return { ok: true, json: async () => version ? { state: "new", version } : new Promise(() => {}) };
            };
            window.setTimeout = (call, pause) => {
              if (call.name !== "ask") return wait(call, pause);
              window.pauses.push(pause);
              return wait(call, 0);
            };
            """)
        self.browser.open(self.backend.site + "/")
        self.browser.wait("pauses.length === 5", "five answers")
        pauses = self.browser.run("return pauses")
        self.browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
        assert pauses[:2] == [0, 0] and 0 < pauses[2] <= 1000 and pauses[3:] == [1000, 0], pauses
        self.at_kiosk()

    def a_code_by_hand(self):
        step("a code typed by hand: which service, then the code")
        other = "www.example.org"
        self.files.run("trust", "add", other, *self.files.places)
        self.start()
        self.wait("scan")
        self.kiosk.press(TYPE_A_CODE)
        self.picture("which-service", "serviceChoice")
        assert other in self.text("#lines"), self.text("#lines")
        self.kiosk.press("1" + ENTER)
        self.wait("codeEntry")
        self.kiosk.press("123456")
        self.picture("type-the-code", "codeEntry", "view.entry.text === '1234 56'")
        self.kiosk.press(CLEAR + BACK)
        self.wait("scan")
        self.stop()
        self.files.run("trust", "remove", other, *self.files.places)

    def how_soon_it_is_there(self):
        times = []
        for _ in range(7):
            self.browser.run("location.reload()")
            self.browser.wait("performance.getEntriesByName('ready').length", "the page after loading it again")
            times.append(self.browser.run(
                "const load = performance.getEntriesByType('navigation')[0];"
                "return performance.getEntriesByName('ready')[0].startTime - load.responseEnd"))
        step(f"    the kiosk's view is there {statistics.median(times):.0f} ms after the page was loaded "
             f"(median of {len(times)}, longest {max(times):.0f} ms; the goal is 200 ms)")

    def a_new_user_logs_in(self):
        step("a new user registers, takes a personal card along, and logs the browser in")
        self.make_a_fleet()
        self.start()
        self.wait("scan")
        self.at_login()
        self.browser.open(self.backend.site)
        self.backend.hold()
        self.show_login_page()
        self.picture("connecting", "connecting")
        self.backend.go_on()
        self.picture("consent", "consent")
        assert "Example Shop" in self.text("#lines"), self.text("#lines")
        assert self.backend.host in self.text("#lines"), self.text("#lines")
        self.kiosk.press(ENTER)
        self.wait("identityEntry")
        self.kiosk.press(USER[:12])
        self.picture("e-mail", "identityEntry", f"view.entry.text === '{USER[:12]}'")
        self.kiosk.press(USER[12:])
        self.wait("identityEntry", f"view.entry.text === '{USER}'")
        self.backend.hold()
        self.kiosk.press(ENTER)
        self.picture("registering", "registering")
        self.backend.go_on()
        self.picture("confirm-e-mail", "emailConfirmation")
        self.read_the_mail()
        self.kiosk.press(ENTER)
        self.wait("newPIN")
        self.type_pin("newPIN", PIN[:4])
        self.picture("new-pin", "newPIN")
        self.type_pin("newPIN", PIN[4:], typed=4)
        self.kiosk.press(ENTER)
        self.wait("newPINAgain")
        self.type_pin("newPINAgain", PIN[:2])
        self.picture("new-pin-again", "newPINAgain")
        self.type_pin("newPINAgain", PIN[2:], typed=2)
        self.kiosk.press(ENTER)
        self.picture("card-offer", "cardOffer")
        self.kiosk.press(TAKE_A_CARD)
        self.picture("issued-card", "issuedCard")
        # The picture that a phone would take.
        self.browser.resize(800, 480)
        self.card = self.browser.picture()
        self.kiosk.press(ENTER)
        self.wait("pin")
        self.type_pin("pin", PIN[:3])
        self.picture("pin", "pin", "document.querySelectorAll('#entry i.full').length === 3")
        assert "7" not in self.text("#entry"), "the page shows a digit of the PIN"
        self.type_pin("pin", PIN[3:], typed=3)
        self.backend.hold()
        self.kiosk.press(ENTER)
        self.picture("logging-in", "authenticating")
        self.backend.go_on()
        self.picture("success", "outcome", "view.tone === 'success'")
        self.the_browser_is_logged_in()
        terminal = self.kiosk.output.decode(errors="replace")
        assert "Enter your PIN" in terminal and "Login successful" in terminal, "the terminal was not a screen, too"
        assert PIN not in terminal

    def make_a_fleet(self):
        """Personal cards need a key, which all kiosks of an operator share."""
        key = self.files.path("fleet.key")
        with open(os.open(key, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(os.urandom(32))
        self.settings += f"fleet: {{key-file: {key}}}\n"
        self.files.configure(self.settings)

    def open_the_mail(self, backend):
        """Follows the link in the newest mail, in a window of its own."""
        self.browser.switch(self.browser.new_window())
        self.browser.open(backend.site + "/outbox")
        self.browser.run("document.querySelector('li a').click()")

    def read_the_mail(self):
        """Follows the link in the activation mail and says yes."""
        self.open_the_mail(self.backend)
        self.browser.wait("document.querySelector('form button')", "the question whether it was me")
        self.browser.run("document.querySelector('form button').click()")
        self.browser.wait("document.body.innerText.includes('is confirmed')", "the confirmation")
        self.at_kiosk()

    def log_out(self):
        self.at_login()
        self.browser.run("document.querySelector('form button').click()")
        self.browser.wait("document.querySelector('#qr')", "a new code after the browser has logged out")

    def the_browser_is_logged_in(self):
        self.at_login()
        self.browser.wait("document.querySelector('#user')", "the user's name on the web site's page")
        assert self.text("#user") == USER, self.text("#user")
        self.browser.resize(800, 600)
        with open(os.path.join(self.album.folder, f"{self.count:02}-browser-logged-in.png"), "wb") as file:
            file.write(self.browser.picture())
        self.count += 1
        self.at_kiosk()

    def the_code_is_used(self):
        step("the code that was used is refused, in words")
        self.kiosk.press(ENTER)
        self.wait("scan")
        # A code that has not left the camera's view for three seconds is no news.
        picture = self.files.shown
        self.files.show(DARK)
        # By then the camera has not seen it for a second.
        self.wait("scan", "document.querySelector('#hint').textContent.includes('too dark')")
        time.sleep(3)
        self.files.show(picture)
        self.picture("used-code", "scan", "document.querySelector('#hint').textContent.includes('already used')")
        self.picture("scan", "scan", "document.querySelector('#hint').hidden")

    def a_wrong_pin(self):
        step("a wrong PIN, and the right one after it")
        self.log_out()
        self.show_login_page()
        self.wait("consent")
        self.kiosk.press(ENTER)
        self.wait("pin")
        self.type_pin("pin", "111111")
        # It stays for a second, which a busy machine may miss.
        self.browser.run(HOLD, "wrongPIN")
        self.kiosk.press(ENTER)
        self.picture("wrong-pin", "wrongPIN")
        self.browser.run(RELEASE)
        self.wait("pin")
        self.type_pin("pin", PIN)
        self.kiosk.press(ENTER)
        self.wait("outcome", "view.tone === 'success'")
        self.the_browser_is_logged_in()
        self.kiosk.press(ENTER)
        self.wait("scan")

    def logged_out_from_the_kiosk(self):
        step("a login, and the browser is logged out from the kiosk")
        for _ in range(5):
            if self.is_asked_to_log_out():
                break
            step("    the busy machine missed the success, which stays for five seconds: once more")
        self.picture("logging-out", "loggingOut")
        self.backend.go_on()
        self.picture("logged-out", "outcome", "view.tone === 'success' && view.keys.length === 1")
        self.kiosk.press(ENTER)
        self.wait("scan")
        self.at_login()
        self.browser.open(self.backend.site + "/protected")
        assert USER not in self.text("body"), self.text("body")

    def is_asked_to_log_out(self):
        """Logs in and presses the key for logging out. The backend answers nothing then, so that the kiosk waits."""
        self.log_out()
        self.show_login_page()
        self.wait("consent")
        self.kiosk.press(ENTER)
        self.wait("pin")
        self.type_pin("pin", PIN)
        self.kiosk.press(ENTER)
        self.wait("outcome", "view.tone === 'success'")
        self.backend.hold()
        self.kiosk.press(LOG_OUT)
        # Where the success had gone the key opens the menu, or comes too early for the scan screen.
        self.browser.wait("['loggingOut', 'menu', 'scan'].includes(view?.stage)", "the kiosk's page after the key for logging out")
        if self.browser.run("return view.stage === 'loggingOut'"):
            return True
        self.backend.go_on()
        self.kiosk.press(BACK)
        self.wait("scan")
        return False

    def somebody_else(self):
        step("somebody whom the browser did not name, by the first letters")
        self.at_login()
        self.browser.open(self.backend.site)
        self.show_login_page()
        self.wait("consent")
        self.kiosk.press(MENU)
        self.wait("identityChoice")
        self.kiosk.press(USER[:2])
        self.picture("who-is-it", "identityChoice", f"view.entry.text === '{USER[:2]}'")
        self.kiosk.press(ENTER)
        self.wait("pin")
        self.kiosk.press(BACK)
        self.wait("outcome")
        self.kiosk.press(ENTER)
        self.wait("scan")

    def a_personal_card(self):
        step("the personal card is held to the camera")
        self.files.show(self.card)
        self.picture("card", "card", f"document.querySelector('#lines').textContent.includes('{USER}')")
        self.files.show(DARK)
        self.kiosk.press(BACK)
        self.wait("scan")

    def a_one_time_password(self):
        step("a one-time password from the menu")
        self.kiosk.press(THE_MENU)
        self.wait("menu")
        self.kiosk.press(ONE_TIME_PASSWORD)
        self.wait("pin")
        self.type_pin("pin", PIN)
        self.kiosk.press(ENTER)
        self.picture("one-time-password", "issuedCode")
        self.kiosk.press(ENTER)
        self.wait("scan")

    def my_identity(self):
        step("what is on the device")
        self.kiosk.press(THE_MENU)
        self.wait("menu")
        self.kiosk.press(MY_IDENTITY)
        self.picture("my-identity", "identityDetails")
        self.stop()

    def at_the_platform(self):
        """From here on the kiosk knows a backend of the newest dialect only."""
        self.platform = Backend(self.files, "trust-2025")
        self.files.run("trust", "add", self.platform.host, *self.files.places)
        self.files.run("trust", "remove", self.backend.host, *self.files.places)
        title = "Loan of the workshop"
        document = f"{{file: '{os.path.abspath(DOCUMENT)}', title: {title}}}"
        self.files.configure(self.settings + f"signing: {{documents: {{loan: {document}}}}}\n")
        self.files.show(DARK)
        self.start()
        self.at_kiosk()
        self.wait("scan")

    def an_address_that_a_mail_verifies(self):
        step("an address that a mail verifies: its link is held to the camera")
        self.kiosk.press(THE_MENU)
        self.wait("menu")
        self.kiosk.press(MENU)
        self.picture("more-of-the-menu", "menu", f"view.keys.some((key) => key.key === '{SIGN}')")
        self.kiosk.press(REGISTER_BY_MAIL)
        self.wait("identityEntry")
        self.kiosk.press(USER)
        self.wait("identityEntry", f"view.entry.text === '{USER}'")
        self.kiosk.press(ENTER)
        self.wait("activationEntry")
        self.kiosk.press("12345")
        self.picture("activation-code", "activationEntry", "view.entry.text === '1234 5'")
        self.open_the_mail(self.platform)
        self.browser.wait("document.querySelector('#qr')?.complete", "the link of the mail as a code")
        self.browser.resize(800, 600)
        self.files.show(self.browser.picture())
        self.at_kiosk()
        for stage in ["newPIN", "newPINAgain"]:
            self.wait(stage)
            self.type_pin(stage, SHORT_PIN)
            self.kiosk.press(ENTER)
        self.wait("cardOffer")
        self.kiosk.press(ENTER)
        self.wait("outcome", "view.tone === 'success'")
        self.files.show(DARK)
        self.kiosk.press(ENTER)
        self.wait("scan")

    def a_document_is_signed(self):
        step("a document is read page by page, and signed")
        self.kiosk.press(THE_MENU)
        self.wait("menu")
        self.kiosk.press(SIGN)
        self.wait("documentChoice")
        self.kiosk.press("1")
        self.picture("which-document", "documentChoice", "view.entry.text === '1'")
        self.kiosk.press(ENTER)
        self.picture("document", "document")
        count = int(re.search(r"Page 1 of (\d+)", self.text("#lines")).group(1))
        assert count > 1, count
        shown = ""
        for page in range(1, count + 1):
            self.wait("document", f"document.querySelector('#lines').textContent.includes('Page {page} of')")
            shown += self.text("#document")
            if page == count:
                self.picture("document-end", "document")
            self.kiosk.press(ENTER)
        # Nothing is missing between the rows but the line feeds.
        with open(DOCUMENT, encoding="utf-8") as file:
            assert shown == file.read().replace("\n", "").replace("\t", "‹TAB›"), shown
        self.picture("sign-question", "signQuestion")
        self.kiosk.press(ENTER)
        self.wait("pin")
        self.type_pin("pin", SHORT_PIN[:2])
        self.picture("signing-pin", "pin")
        self.type_pin("pin", SHORT_PIN[2:], typed=2)
        self.platform.hold()
        self.kiosk.press(ENTER)
        self.picture("signing", "signing")
        self.platform.go_on()
        self.picture("signed", "outcome", "view.tone === 'success'")
        assert "Signed and verified" in self.text("#title"), self.text("#title")
        self.kiosk.press(ENTER)
        self.wait("scan")
        self.stop()
        self.files.run("trust", "add", self.backend.host, *self.files.places)
        self.files.run("trust", "remove", self.platform.host, *self.files.places)

    def keys_on_the_page(self):
        step("keys on the page, for the browser that opened the kiosk's file")
        self.files.show(DARK)
        # Neither beside the kiosk's keys nor below them: nothing but keys may be written there.
        with tempfile.TemporaryDirectory() as elsewhere:
            self.entrance_in(elsewhere)

    def entrance_in(self, elsewhere):
        entrance = os.path.join(elsewhere, "screen.html")
        self.start("--web-file", entrance, "--web-keys", "--language", "de")
        self.wait("scan")
        assert not self.browser.run("return document.querySelector('#pad').childElementCount"), "keys without the token"
        refused = self.browser.run(
            "return fetch('key', { method: 'POST', headers: { 'X-Kiosk-Token': 'x' }, body: 'menu' }).then((a) => a.status)")
        assert refused == 403, refused
        assert os.stat(entrance).st_mode & 0o77 == 0, "others may read the file that leads to the page"
        self.browser.open(f"file://{entrance}")
        self.wait("scan")
        # A page with a code of its own: the one before was given up.
        self.at_login()
        self.browser.open(self.backend.site)
        self.show_login_page()
        self.picture("consent-touch-de", "consent")
        self.tap("menu")
        self.letters_on_the_page()
        self.wait("pin")
        self.tap("1")
        self.wait("pin", "view.entry.count === 1")
        # The focus stays where it was while the screen is drawn again.
        self.browser.run("document.querySelector('#pad [data-key=\"5\"]').focus()")
        for count, digit in enumerate(PIN[:3], start=2):
            self.tap(digit)
            self.wait("pin", f"view.entry.count === {count}")
            assert self.browser.run("return document.activeElement.dataset.key") == "5", "the focus has gone"
        self.picture("pin-touch-de", "pin")
        assert self.text("#entry") == "", "the page shows digits of the PIN"
        self.tap("clear")
        self.wait("pin", "view.entry.count === 0")
        self.tap("back")
        self.picture("declined-de", "outcome", "view.tone === 'ready'")
        assert "Abgebrochen" in self.text("#title"), self.text("#title")

    def letters_on_the_page(self):
        self.wait("identityChoice")
        self.picture("who-touch-de", "identityChoice")
        self.tap("switch")
        rows = self.browser.run("return [...document.querySelectorAll('#pad .digit')].map((key) => key.textContent).join('')")
        assert "qwertzuiop" in rows and rows.endswith("@.-_+"), rows
        self.type_letters(USER[:3])
        self.picture("letters-touch-de", "identityChoice")
        # Held, the key takes away what was typed, and does not leave the screen.
        self.browser.run("document.querySelector('#pad .back').dispatchEvent(new PointerEvent('pointerdown'))")
        self.wait("identityChoice", "view.entry.text === ''")
        assert self.text("#pad .back") == "Zurück", self.text("#pad .back")
        self.type_letters(USER[:2])
        self.tap("enter")

    def type_letters(self, text):
        for length, letter in enumerate(text, start=1):
            self.tap(letter)
            self.wait("identityChoice", f"view.entry.text === '{text[:length]}'")

    def tap(self, key):
        """Touches a key of the page when the screen has been there long enough to take it."""
        self.browser.wait(f"performance.now() - changed >= settling && document.querySelector('button[data-key=\"{key}\"]')",
                          f"the key {key} on the page")
        self.browser.run("document.querySelector(`button[data-key='${arguments[0]}']`).click()", key)

    def every_view_in_every_language(self):
        began = time.monotonic()
        sizes = ", ".join(f"{width}x{height}" for width, height in SIZES)
        count = self.album.measure_all()
        step(f"{count} views in {len(LANGUAGES)} languages were measured at {sizes}")
        count = self.album.measure_sentences()
        step(f"{count} screens with one sentence after the other were measured")
        self.album.sheets("sheet")
        self.album.compare("page-landscape")
        self.modes()
        self.strangers_names()
        step(f"    {time.monotonic() - began:.0f} s")

    def modes(self):
        """The page for people who ask their browser for more contrast, their own colours, less motion or larger letters."""
        step("more contrast, forced colours, less motion, letters of 200 %")
        for feature, value in [("prefers-contrast", "more"), ("forced-colors", "active"), ("prefers-reduced-motion", "reduce")]:
            self.browser.command("Emulation.setEmulatedMedia", features=[{"name": feature, "value": value}])
            self.album.resize(800, 480)
            self.album.measure(f"{feature}: {value}", self.album.in_language(self.album.catalogues[0]), LEAST_LETTERS)
            if feature == "prefers-reduced-motion":
                view = next(view for view, _ in self.album.views.values() if view["isBusy"])
                moves = self.browser.run("show(arguments[0]); return document.getAnimations().length", view)
                assert moves == 0, "something moves"
        self.browser.command("Emulation.setEmulatedMedia", features=[])
        self.looks()
        for name, (view, _) in self.album.views.items():
            self.album.faults += [f"{name} at 200 %: {fault}" for fault in self.enlarged(view)]
        self.browser.run("window.enlarged = 1")
        self.album.resize(800, 480)

    def looks(self):
        """Large text and high contrast, which the kiosk itself switches. No letter gets smaller for it."""
        enlarged = """
            const [views] = arguments;
            const size = (view) => {
              show(view);
              const sizes = [...document.querySelectorAll("h1, #lines p, #hint, .key span")]
                .filter((element) => element.getClientRects().length).map((element) => parseFloat(getComputedStyle(element).fontSize));
              return sizes.reduce((sum, one) => sum + one, 0) / sizes.length;
            };
            return views.filter(([, view]) => size(view) > 1.1 * size({ ...view, hasLargeText: false })).length;
            """
        for width, height in SIZES:
            self.album.resize(width, height)
            for target in self.album.catalogues:
                place = f"{target.language} {width}x{height}"
                views = [(name, {**view, "hasLargeText": True, "hasHighContrast": True}, picture)
                         for name, view, picture in self.album.in_language(target)]
                self.album.measure(f"{place} in large text", views, LEAST_LETTERS)
                # One of each design.
                if (width, height) not in SIZES[:2]:
                    continue
                count = self.browser.run(enlarged, views)
                if count < len(views) / 2:
                    self.album.faults.append(f"{place}: {count} of {len(views)} screens are larger in large text")
                views = [(name, {**view, "hasLargeText": False}, picture) for name, view, picture in views]
                self.album.measure(f"{place} in high contrast", views, LEAST_LETTERS)

    def strangers_names(self):
        """Names in their worst form: first as the kiosk shortens them, so that they are there whole, then as no part of it
        would let them through. They never lie over a key, and nothing leaves the screen."""
        step("names that nobody would choose")
        views = [view for view, _ in self.album.views.values() if view["stage"] in ("consent", "newPIN", "signQuestion", "outcome")]
        # One of each design.
        for size in SIZES[:2]:
            self.album.resize(*size)
            for name in SHORTENED_NAMES + ENDLESS_NAMES:
                for number, view in enumerate(views):
                    named = {**view, "title": view["title"] if view["lines"] else name, "lines": [
                        {**line, "text": name} if line["key"] == "consentService" else line for line in view["lines"]]}
                    place = f"{view['stage']} with {name[:8]!r} at {size}"
                    if name in SHORTENED_NAMES:
                        self.album.measure(place, [(str(number), named, None)], LEAST_CROWDED)
                    self.album.faults += [f"{place}: {fault}" for fault in self.browser.run(COVERED, named)]

    def enlarged(self, view):
        """A panel of 800x480 whose browser enlarges by two: everything is there, twice as large, and can be scrolled to."""
        self.browser.run("window.enlarged = 2; show(arguments[0])", view)
        self.album.resize(400, 240)
        return self.browser.run("""
            const found = [];
            if (parseFloat(getComputedStyle(page.title).fontSize) < 24) found.push("small letters");
            if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the page");
            for (const element of document.querySelectorAll("h1, #lines p, #document, #hint, #entry, #code, .key, #pad button")) {
              if (element.closest("[hidden]") || !element.getClientRects().length) continue;
              const box = element.getBoundingClientRect();
              if (box.bottom + scrollY > document.body.scrollHeight + 1 || box.left < 0 || box.right > innerWidth + 1) found.push("out of reach: " + element.textContent);
              if (element.clientWidth && element.scrollWidth > element.clientWidth + 2) found.push("cut off: " + element.textContent);
            }
            return found;
            """)

    def every_key_in_every_language(self):
        """As before, for the page with keys."""
        self.kiosk.hold()
        count = self.album.measure_all()
        step(f"{count} views with keys were measured")
        self.album.sheets("sheet-touch")
        self.album.compare("page-touch")
        self.strangers_names()
        self.kiosk.go_on()

    def every_state_has_its_picture(self):
        with open(STAGES, encoding="utf-8") as file:
            stages = file.read().partition("public enum KioskStage")[2].partition("\n}\n")[0]
        cases = re.findall(r"^    case (.*(?:\n        .*)*)", stages, re.MULTILINE)
        assert cases, f"no stages in {STAGES}"
        missing = set(re.findall(r"\w+", " ".join(cases))) - self.seen
        assert not missing, f"no picture was taken of {sorted(missing)}"

    def nobody_complained(self):
        for window in [self.kiosk_window, self.login_window]:
            self.browser.switch(window)
            for entry in self.browser.complaints():
                # A page whose kiosk or service is gone tries again, and the browser notes each time.
                if entry["level"] == "SEVERE" and entry["source"] != "network":
                    self.album.faults.append(f"the browser's console: {entry['message']}")

    def run(self):
        try:
            self.nothing_is_trusted()
            self.an_operator_sets_it_up()
            self.everything_is_deleted()
            self.backend = Backend(self.files, "milagro")
            self.files.run("trust", "add", self.backend.host, *self.files.places)
            self.the_scan_screen()
            self.the_login_page_asks()
            self.a_code_by_hand()
            self.a_new_user_logs_in()
            self.the_code_is_used()
            self.a_wrong_pin()
            self.logged_out_from_the_kiosk()
            self.somebody_else()
            self.a_personal_card()
            self.a_one_time_password()
            self.my_identity()
            self.at_the_platform()
            self.an_address_that_a_mail_verifies()
            self.a_document_is_signed()
            self.every_view_in_every_language()
            self.keys_on_the_page()
            self.every_key_in_every_language()
            self.every_state_has_its_picture()
            self.nobody_complained()
            self.stop()
        finally:
            self.browser.close()
            with contextlib.ExitStack() as programs:
                for program in [self.platform, self.backend, self.kiosk]:
                    if program:
                        programs.callback(program.end)
        for fault in self.album.faults:
            print(f"fault: {fault}")
        return 1 if self.album.faults else 0


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 64
    with tempfile.TemporaryDirectory(prefix="login-kiosk-") as scratch:
        status = Test(sys.argv[1], sys.argv[2], scratch).run()
    with tempfile.TemporaryDirectory(prefix="login-kiosk-") as scratch:
        step("the operator's page in every language, narrow and wide")
        for fault in OperatorPage(Files(scratch, sys.argv[1]), sys.argv[2]).run():
            print(f"fault: {fault}")
            status = 1
    with tempfile.TemporaryDirectory(prefix="login-kiosk-") as scratch:
        step("answers of the OpenID provider that the browser posts")
        FormPost(sys.argv[1], scratch).run()
    print(f"pictures: {sys.argv[2]}")
    print("test-browser passed" if status == 0 else "test-browser failed")
    return status


if __name__ == "__main__":
    sys.exit(main())
