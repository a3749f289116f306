# SPDX-License-Identifier: Apache-2.0
"""The backend's operator's page in a real browser: every page of it in every language, narrow and wide, light and dark."""

import glob
import os
import random
import re
import sqlite3
import time

from patience import until
from pictures import DOCUMENTATION, DRAWS
from programs import Backend
from webdriver import Browser

WORDS = os.path.join(os.path.dirname(__file__), "../../Sources/Backend/BackendValues/Words/*.yaml")
LANGUAGES = sorted(os.path.basename(file).split(".")[0] for file in glob.glob(WORDS))
SIZES = [(480, 900), (1280, 900)]
# Where columns become cards, and between.
MEASURED = [360, 820, 1215, 1216]
HOUR, QUARTER = 3600, 900

# Lists elements that are beyond an edge, or cut off.
MISPLACED = """
const wrong = [];
if (document.scrollingElement.scrollWidth > innerWidth) wrong.push("the page scrolls sideways");
for (const element of document.querySelectorAll("body *")) {
  if (element.closest("svg, .users thead, details:not([open]) > :not(summary)") || element.getClientRects().length === 0) continue;
  const box = element.getBoundingClientRect();
  if (box.left < -1 || box.right > innerWidth + 1) wrong.push("beyond the edge: " + element.tagName + " " + element.textContent.slice(0, 40));
  else if (element.matches("button, .button, h1, code, bdi, time") && element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0)
    wrong.push("cut off: " + element.textContent.slice(0, 40));
}
return wrong.slice(0, 5);
"""
# Letters of a picture that lie on each other.
COLLIDING = """
const boxes = [...document.querySelectorAll("svg text.tick")].map((text) => text.getBoundingClientRect());
return boxes.flatMap((one, index) => boxes.slice(index + 1).filter((other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom - 2 && other.top < one.bottom - 2)).length;
"""
ORDINARY = ["alice", "anna.meier", "ben.okafor", "chloe.martin", "daniel.garcia", "elena.petrova", "farid.haddad", "grace.kim"]
STRANGE = [
    "w" * 255, "\U0001f600" * 63, "<script>document.title='taken'</script>\"'&@example.com", "\u05d0\u05d1\u05d2@example.com",
    "<u+202e>moc.elpmaxe@example.com", "long.word." * 20 + "@example.com",
]


class OperatorPage:
    """A backend with identities in every state, and an operator's browser."""

    def __init__(self, files, folder):
        self.folder = folder
        self.faults = []
        self.backend = Backend(files, "milagro")
        self.password = self.backend.command("operator-password").split()[-1]
        self.browser = Browser()
        self.page = self.backend.site + "/operator"
        os.makedirs(folder, exist_ok=True)

    # The content of the database.

    def change(self, *statements):
        database = sqlite3.connect(os.path.join(self.backend.state, "backend.sqlite"), timeout=30)
        with database:
            for text, values in statements:
                database.execute(text, values)
        database.close()

    def insert_identities(self, users, domain="@example.com"):
        """Each in a state of its own; the first one as it should be."""
        rows = []
        now = int(time.time() * 1000)
        for number, user in enumerate(users):
            identity = random.randbytes(40)
            failures = [0, 0, 3, 1, 0, 0, 2, 0][number % 8]
            login = None if number % 8 == 4 else now - (number * 47 + 3) * 60_000
            rows.append((
                "INSERT INTO identity (mpinID, userID, registered, failures, needsRenewal, verdicts, lastLogin) "
                "VALUES (?, ?, ?, ?, 0, 1, ?)",
                (identity, user + domain, now - (number + 3) * 86_400_000, failures, login)))
            if number % 8 == 5:
                rows.append(("UPDATE identity SET revoked = ? WHERE mpinID = ?", (now, identity)))
        self.change(*rows)

    def register(self, user, active):
        self.change((
            "INSERT INTO registration VALUES (?, ?, 1, x'00', x'00', ?, ?)",
            (random.randbytes(40), user, active, int((time.time() + HOUR) * 1000))))

    def count_logins(self, seed=7):
        """A working day, with one hour in which PINs are tried."""
        chance = random.Random(seed)
        present = int(time.time()) // QUARTER
        rows = []
        for quarter in range(present - 95, present + 1):
            hour = quarter * QUARTER // HOUR % 24
            right = chance.randint(20, 60) if 7 <= hour < 18 else chance.randint(0, 4)
            tried = 6 if present - 30 < quarter < present - 26 else 1
            rows.append((
                "INSERT INTO tally VALUES (?, ?, ?, ?, 0)",
                (quarter, right, chance.randint(0, 2) * tried, chance.randint(0, 1) * (tried - 1))))
        self.change(*rows)

    # The browser.

    def speak(self, language):
        agent = self.browser.run("return navigator.userAgent")
        self.browser.command("Network.setUserAgentOverride", userAgent=agent, acceptLanguage=language)

    def paint(self, scheme):
        self.browser.command(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, selector):
        """Presses what leads to another page, and waits until that is there."""
        self.browser.run("window.isOld = true; document.querySelector(arguments[0]).click()", selector)
        self.browser.wait("!window.isOld && document.readyState === 'complete'", f"the page behind {selector}")

    def log_in(self, password):
        self.browser.run("document.querySelector('#password').value = arguments[0]", password)
        self.press("main button")

    def look(self, name, keep=True):
        """Measures the page at every size, and takes pictures at some, from top to bottom."""
        for width, height in SIZES + [(width, 900) for width in MEASURED]:
            self.browser.resize(width, height)
            place = f"operator-{name}-{width}"
            self.faults += [f"{place}: {fault}" for fault in self.browser.run(MISPLACED)]
            if self.browser.run(COLLIDING):
                self.faults.append(f"{place}: letters of a picture lie on each other")
            if keep and width not in MEASURED:
                length = self.browser.run("return document.documentElement.scrollHeight")
                self.browser.resize(width, min(max(length, 320), 3000))
                self.save(f"{name}-{width}")

    def save(self, name):
        with open(os.path.join(self.folder, f"operator-{name}.png"), "wb") as file:
            file.write(self.browser.picture())

    def compare(self):
        """Compares the words of the documentation's picture with those on the page. Identities, times, counts and
        charts differ from run to run."""
        text = self.browser.run("""
            const charts = document.querySelectorAll("svg");
            for (const chart of charts) chart.style.display = "none";
            const text = document.body.innerText;
            for (const chart of charts) chart.style.display = "";
            return text;
            """)
        words = re.sub(r"\d+", "0", re.sub(r"\b[0-9a-f]{16}\b", "", text))
        lines = [" ".join(line.split()) for line in words.splitlines() if line.strip()]
        picture, known = (os.path.join(DOCUMENTATION, "operator" + ending) for ending in (".png", ".txt"))
        if DRAWS:
            self.browser.resize(1280, self.browser.run("return document.documentElement.scrollHeight"))
            with open(picture, "wb") as file:
                file.write(self.browser.picture())
            with open(known, "w", encoding="utf-8") as file:
                file.write("operator.png\n" + "".join(f"  {line}\n" for line in lines))
        with open(known, encoding="utf-8") as file:
            old = [line.strip() for line in file.readlines()[1:]]
        if lines != old:
            changed = sorted(set(lines).symmetric_difference(old)) or lines
            self.faults.append(f"docs/pictures/operator.png is older than its words; draw it again: make test-browser DRAW=yes: {changed}")

    def expect(self, script, what):
        if not self.browser.run(f"return Boolean({script})"):
            self.faults.append(f"{what}: {self.browser.run('return document.body.innerText')[:300]!r}")

    # The tests.

    def the_password(self):
        self.browser.open(self.page)
        self.look("password")
        self.log_in("wrong")
        self.expect("document.querySelector('[role=alert]')", "a wrong password is not said")
        self.look("password-wrong")
        self.log_in(self.password)

    def nothing_yet(self):
        self.expect("document.querySelector('.nothing') && !document.querySelector('svg rect')", "a new backend is not empty")
        self.look("empty")

    def the_list(self):
        self.insert_identities(ORDINARY)
        self.register("new.person@example.com", False)
        self.register("other.person@example.com", True)
        self.count_logins()
        # The counts by state may be some seconds old.
        time.sleep(11)
        self.browser.open(self.page)
        self.expect("document.querySelectorAll('.users tbody tr').length === 10", "ten rows")
        self.expect("document.querySelectorAll('svg rect').length > 60", "bars")
        self.look("list")
        self.compare()
        self.paint("dark")
        self.look("list-dark")
        self.paint("light")
        self.browser.run("document.querySelector('details').open = true")
        self.look("figures")
        self.browser.resize(820, 1180)
        self.save("list-820")

    def a_revocation(self):
        self.browser.open(self.page + "?q=anna&state=registered")
        self.expect("document.querySelectorAll('.users tbody tr').length === 1", "anna is found")
        self.press(".users a.danger")
        self.look("question")
        self.press(".buttons a")
        self.expect("document.querySelector('#q').value === 'anna'", "cancelling forgets the search")
        self.press(".users a.danger")
        self.press(".buttons button")
        self.expect("document.querySelector('[role=status] bdi').textContent === 'anna.meier@example.com'", "it is not said what was done")
        self.look("revoked")
        # The audit log waits for the disk, and no page for the audit log.

        def revoked():
            told = self.backend.command("audit", "show", "--json")
            return told if '"revoke"' in told else None

        record = until(revoked, "the revocation in the audit log")
        if "anna.meier@example.com" not in record or '"operator"' not in record:
            self.faults.append(f"the audit log does not say who was revoked: {record}")

    def every_page_in_every_language(self):
        self.insert_identities(STRANGE, domain="")
        # Long enough for several pages.
        self.insert_identities([f"person{number:03}" for number in range(70)])
        for language in LANGUAGES:
            self.speak(language)
            self.browser.open(self.page)
            self.expect(f"document.documentElement.lang === '{language}'", f"the page does not speak {language}")
            self.expect("document.title !== 'taken'", "a user id is a script")
            self.look(f"all-{language}")
            self.browser.run("document.querySelector('details').open = true")
            self.look(f"figures-{language}", keep=False)
            self.press("a[rel=next]")
            self.expect("document.querySelectorAll('.users tbody tr').length === 25", "a full page")
            self.look(f"next-{language}", keep=False)
            self.browser.open(self.page + "?q=www")
            self.look(f"found-{language}", keep=False)
            self.press(".users a.danger")
            self.look(f"question-{language}")
            self.browser.open(self.page + "?q=nobody.here&match=containing")
            self.expect("document.querySelector('.nothing')", "what is not there is found")
            self.look(f"nothing-{language}")
            self.browser.open(self.page + "/revoke?user=x&identity=y")
            self.look(f"problem-{language}", keep=False)
        self.speak("en")

    def run(self):
        try:
            self.the_password()
            self.nothing_yet()
            self.the_list()
            self.a_revocation()
            self.every_page_in_every_language()
            for entry in self.browser.complaints():
                # Wrong passwords and pages that are not there are part of it.
                if entry["level"] == "SEVERE" and entry["source"] != "network":
                    self.faults.append(f"the browser's console: {entry['message']}")
        finally:
            self.backend.end()
            self.browser.close()
        return self.faults
