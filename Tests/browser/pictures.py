# SPDX-License-Identifier: Apache-2.0
"""Pictures of the kiosk's page, and whether everything on it can be seen."""

import glob
import os

from accessibility import tree_faults
from catalogue import KEYBOARDS, VALUES, Catalogue, translated

# The sizes that the page is made for, and the language of each one's sheet of pictures.
SIZES = {(800, 480): "en", (480, 800): "de", (1024, 600): "fr", (1280, 800): "es", (1920, 1080): "bg"}
# Letters of sentences and keys, in grid units: 24 pixels at 800x480.
LEAST_LETTERS = 1.2
# Where a sentence stands in the longest company, or is the longest: still readable.
LEAST_CROWDED = .6
PICTURE_WIDTH, PICTURES_A_ROW = 320, 6

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
        # The page sets its letters anew when it hears of its size, which is before the next frame but one.
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

    def sheets(self, name, wanted=lambda view: True):
        """Makes one picture of all views for each size."""
        for (width, height), language in SIZES.items():
            self.resize(width, height)
            target = next(one for one in self.catalogues if one.language == language)
            pictures = []
            for _, view, picture in self.in_language(target, wanted):
                self.browser.run("show(arguments[0]); if (arguments[1]) page.preview.src = arguments[1];"
                                 "return page.preview.decode().catch(() => {})", view, picture)
                pictures.append(self.browser.part(0, 0, width, height, PICTURE_WIDTH / width))
            self.save(f"{name}-{width}x{height}-{language}.jpg", self.browser.sheet(pictures, PICTURE_WIDTH, PICTURES_A_ROW))

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
        errands = ["errandLogin", "errandOneTimePassword", "errandQuickCode", "errandIdentities", "errandEnrolment",
                   "errandVerification", "errandSigning", "errandLocalLogin", "errandChangePIN"]
        for six in [errands[:6], errands[-6:]]:
            numbered = {f"_{place}": label for place, label in enumerate(six, start=1)}
            yield "menu", {
                **base, "stage": "menu", "title": text("menuTitle"), "lines": [{"key": "menuHelp", "text": text("menuHelp")}],
                "countdown": None, "keys": keys(**numbered, menu="actionMore", back="actionBack")}, None
        row = {"pieces": [{"text": "m" * 59, "isMark": False}, {"text": "W", "isMark": True}]}
        yield "document", {
            **base, "stage": "document", "title": text("documentTitle"), "document": [row] * 10, "countdown": None,
            "lines": facts("consentService", "consentDomain", "documentDescription", "documentPage"), "hint": text("documentMark"),
            "keys": keys(enter="actionNextPage", back="actionPreviousPage")}, None
