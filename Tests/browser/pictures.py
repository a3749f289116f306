# SPDX-License-Identifier: Apache-2.0
"""Pictures of the kiosk's page, and whether everything on it can be seen."""

import glob
import os
import re

from accessibility import tree_faults
from catalogue import KEYBOARDS, VALUES, Catalogue, translated

# The sizes that the page is made for.
SIZES = [(800, 480), (480, 800), (1024, 600), (1280, 800), (1920, 1080)]
# Letters of sentences and keys, in grid units: 24 pixels at 800x480.
LEAST_LETTERS = 1.2
# Where a sentence stands in the longest company, or is the longest: still readable.
LEAST_CROWDED = .7
# DRAW=yes makes the sheets of the documentation again, and one of all views for each size and language.
DRAWS = bool(os.environ.get("DRAW"))
DOCUMENTATION = os.path.join(os.path.dirname(__file__), "../../docs/pictures")
# Views of the page in the documentation, by the sheet's name: size, language, pictures in a row and their width.
SHOWN = {
    "page-landscape": ((800, 480), "en", 4, 320, [
        "scan", "card", "consent", "menu", "e-mail", "new-pin", "wrong-pin", "success", "one-time-password", "issued-card",
        "document", "sign-question"]),
    "page-touch": ((480, 800), "de", 8, 200, [
        "scan", "consent", "menu", "e-mail", "who-is-it", "new-pin", "pin", "activation-code"]),
}

with open(os.path.join(os.path.dirname(__file__), "measure.js"), encoding="utf-8") as script:
    MEASURE = script.read()


class Album:
    """Takes pictures and the view of each state, into a folder, and measures them in all languages and sizes."""

    def __init__(self, browser, folder, catalogues):
        self.browser = browser
        self.folder = folder
        self.catalogues = [Catalogue(file) for file in sorted(glob.glob(catalogues))]
        self.views = {}
        self.faults = []
        os.makedirs(folder, exist_ok=True)

    def take(self, name):
        view, picture = self.browser.run("return [view, page.preview.getAttribute('src')]")
        if view["language"] == "en":
            self.views[name] = (view, picture)
        for width, height in [(800, 480), (480, 800)]:
            self.resize(width, height)
            self.measure(f"{name}-{width}x{height}", [(name, view, picture)], LEAST_LETTERS)
            self.save(f"{name}-{width}x{height}.png", self.browser.picture())
        self.faults += [f"{name}: {fault}" for fault in tree_faults(self.browser, view)]

    def save(self, name, picture):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(picture)

    def resize(self, width, height):
        self.browser.resize(width, height)
        # The page sets its letters again when it hears of its size, which is before the next frame but one.
        self.browser.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def measure(self, place, views, least):
        self.faults += [f"{place}: {fault}" for fault in self.browser.run(MEASURE, views, least)]

    def in_language(self, target, wanted=lambda view: True):
        english = next(one for one in self.catalogues if one.language == "en")
        return [(name, translated(view, english, target, KEYBOARDS), picture)
                for name, (view, picture) in self.views.items() if wanted(view)]

    def measure_all(self, wanted=lambda view: True):
        """Shows every view in every language at every size; returns how many."""
        count = 0
        for width, height in SIZES:
            self.resize(width, height)
            for target in self.catalogues:
                views = self.in_language(target, wanted)
                self.measure(f"{target.language} {width}x{height}", views, LEAST_LETTERS)
                count += len(views)
        return count

    def pictures(self, views, size, width, chance=None):
        """A picture of each view, so wide. `chance` gets the places in it that differ from run to run: what the camera sees,
        and a card's code."""
        self.resize(*size)
        for _, view, picture in views:
            self.browser.run("show(arguments[0]); if (arguments[1]) page.preview.src = arguments[1];"
                             "return page.preview.decode().catch(() => {})", view, picture)
            if chance is not None:
                chance.append(self.browser.run("""
                    return [page.preview, ...document.querySelectorAll("#entry svg")].map((element) => {
                      const { x, y, width, height } = element.getBoundingClientRect();
                      return [x, y, width, height].map((length) => length * arguments[0]);
                    })""", width / size[0]))
            yield self.browser.part(0, 0, *size, width / size[0])

    def sheets(self, name):
        """One picture of all views for each size and language."""
        for width, height in SIZES if DRAWS else []:
            for target in self.catalogues:
                views = self.in_language(target)
                (cell, columns) = (320, 6) if width > height else (200, 10)
                pictures = list(self.pictures(views, (width, height), cell))
                self.save(f"{name}-{width}x{height}-{target.language}.jpg", self.browser.sheet(pictures, cell, columns))

    def compare(self, name):
        """Whether a sheet of the documentation has the words and the layout of today."""
        size, language, columns, width, names = SHOWN[name]
        target = next(one for one in self.catalogues if one.language == language)
        views = {one.partition("-")[2]: (one, view, picture) for one, view, picture in self.in_language(target)}
        chosen = [views[one] for one in names]
        chance = []
        sheet = self.browser.sheet(list(self.pictures(chosen, size, width, chance)), width, columns)
        words = "".join(f"  {one}: {self.words(view)}\n" for one, (_, view, _) in zip(names, chosen))
        picture, known = (os.path.join(DOCUMENTATION, name + ending) for ending in (".jpg", ".txt"))
        if DRAWS:
            with open(picture, "wb") as file:
                file.write(sheet)
            with open(known, "w", encoding="utf-8") as file:
                file.write(f"{name}.jpg\n{words}")
        with open(known, encoding="utf-8") as file:
            old = file.read()
        remedy = "draw it again: make test-browser DRAW=yes"
        self.faults += [f"docs/pictures/{name}.jpg is older than its words; {remedy}:{line}"
                        for line in words.splitlines() if line not in old.splitlines()]
        with open(picture, "rb") as file:
            # As `sheet` lays them out.
            height = size[1] * width / size[0]
            places = [[4 + index % columns * (width + 8) + x, 4 + index // columns * (height + 8) + y, wide, high]
                      for index, boxes in enumerate(chance) for x, y, wide, high in boxes]
            difference = self.browser.difference(file.read(), sheet, places)
        if difference is None or difference[0] >= 4 or difference[1] >= .02:
            self.faults.append(f"docs/pictures/{name}.jpg has another layout ({difference}); {remedy}")

    def words(self, view):
        """The words on the page in their order. Long numbers differ from run to run."""
        words = self.browser.run("""
            show(arguments[0]);
            return [...document.querySelectorAll(".key, #pad button, h1, #lines p, #document div, #entry, #hint")]
              .filter((element) => !element.closest("[hidden]")).map((element) => element.innerText.replace(/\\s+/g, " ").trim());
            """, view)
        return re.sub(r"\d\d+", lambda number: "0" * len(number[0]), " | ".join(word for word in words if word))

    def measure_sentences(self):
        """Shows every sentence as a title, as the hint of a PIN and as that of the camera, where each has the least room."""
        count = 0
        for size, is_here in [((480, 800), lambda name: "title" in name or name == "menu"), ((800, 480), lambda name: "title" not in name)]:
            self.resize(*size)
            for catalogue in self.catalogues:
                views = [view for view in self.crowded(catalogue) if is_here(view[0])]
                self.measure(catalogue.language, views, LEAST_CROWDED)
                count += len(views)
        return count

    @staticmethod
    def crowded(catalogue):
        def text(key):
            return catalogue.filled(key, VALUES)

        # The longest that keys are called.
        caps = {"enter": "#", "clear": catalogue.sentences["keyHeld"].replace("{name}", "*"), "back": "Backspace", "menu": "Tab"}

        def keys(**labels):
            return [{"key": key.strip("_"), "cap": caps.get(key, key.strip("_")), "label": text(label)} for key, label in labels.items()]

        def facts(*names):
            return [{"key": "consentService", "label": "", "text": text(name)} for name in names]

        base = {"language": catalogue.language, "tone": "ask", "isBusy": False, "showsPreview": False, "countdown": 30, "lines": [],
                "keys": keys(enter="actionOK", clear="actionClear", back="actionBack")}
        who = facts("pinUser", "consentService", "consentDomain")
        for name in catalogue.sentences:
            if name.startswith("action"):
                continue
            yield name + " as a title", {**base, "stage": "outcome", "title": text(name), "lines": [{"key": name, "text": text(name)}]}, None
            yield name + " at a PIN", {
                **base, "stage": "pin", "title": text("pinTitle"), "hint": text(name), "entry": {"count": 2, "capacity": 6},
                "lines": [*who, {"key": "pinHelpAny", "text": text("pinHelpAny")}]}, None
            yield name + " at the camera", {
                **base, "stage": "scan", "showsPreview": True, "title": text("scanTitle"), "hint": text(name),
                "keys": [*keys(_0="actionTypeCode", _1="actionMenu"),
                         {"key": "2", "cap": "2", "label": "Български", "language": "bg"},
                         {"key": "7", "cap": "7", "label": text("actionLook"), "sign": "Aa"}],
                "lines": [{"key": "scanHelp", "text": text("scanHelp")}]}, None
        yield "consent", {
            **base, "stage": "consent", "title": text("consentTitle"), "keys": keys(enter="actionOK", back="actionNotMe", menu="actionSomeoneElse"),
            "lines": facts("consentService", "consentDomain", "consentApplication", "consentCustomer", "consentTask", "consentUser")}, None
        # A page of the menu has six entries.
        tasks = ["taskLogin", "taskOneTimePassword", "taskRegistrationCode", "taskIdentities", "taskRegisterWithCode",
                   "taskVerification", "taskSigning", "taskLocalLogin", "taskChangePIN"]
        for six in [tasks[:6], tasks[-6:]]:
            numbered = {f"_{place}": label for place, label in enumerate(six, start=1)}
            yield "menu", {
                **base, "stage": "menu", "title": text("menuTitle"), "lines": [{"key": "menuHelp", "text": text("menuHelp")}],
                "countdown": None, "keys": keys(**numbered, menu="actionMore", back="actionBack")}, None
        row = {"pieces": [{"text": "m" * 59, "isMark": False}, {"text": "W", "isMark": True}]}
        yield "document", {
            **base, "stage": "document", "title": text("documentTitle"), "document": [row] * 10, "countdown": None,
            "lines": facts("consentService", "consentDomain", "documentDescription", "documentPage"), "hint": text("documentMark"),
            "keys": keys(enter="actionNextPage", back="actionPreviousPage")}, None
