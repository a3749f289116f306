# SPDX-License-Identifier: Apache-2.0
"""Pictures of the kiosk's page, and whether everything on it can be seen."""

import glob
import os
import re

SIZES = [(800, 480), (1920, 1080)]

# What is cut off, covered by the keys, or beyond an edge.
MISPLACED = """
const wrong = [];
const footer = document.querySelector("footer").getBoundingClientRect();
const time = document.querySelector("#time");
for (const element of document.querySelectorAll(
    "h1, #lines p, #document, #hint, #entry, #camera, #camera-hint, #icon, #pad, #letters, .key, .key span")) {
  if (element.closest("[hidden]") || element.getClientRects().length === 0) continue;
  const box = element.getBoundingClientRect();
  const name = (element.id || element.className || element.tagName) + ": " + element.textContent.slice(0, 60);
  if (box.left < -1 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) wrong.push("beyond the edge: " + name);
  else if (element.matches(".key") && box.right > innerWidth - document.querySelector(".key").getBoundingClientRect().left + 1) wrong.push("in the margin: " + name);
  else if (element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0) wrong.push("cut off: " + name);
  else if (!element.closest("footer, #letters") && box.bottom > footer.top + 1) wrong.push("under the keys: " + name);
}
// An address, or a word with a hyphen, that a line of its own would hold.
for (const word of document.querySelectorAll(".address")) {
  const parts = [...word.getClientRects()];
  const line = word.parentElement.clientWidth || word.closest("h1, p, div").clientWidth;
  const isTorn = parts.some((part) => part.top >= parts[0].bottom);
  if (isTorn && parts.reduce((sum, part) => sum + part.width, 0) <= line) wrong.push("torn: " + word.textContent);
}
return wrong;
"""

# Every sentence as a title, in the company that a question has, and as the hint of a PIN.
SENTENCES = """
const [sentences, measure, languageKey] = arguments;
const check = new Function(measure);
const wrong = [];
// The longest that keys are called.
const names = { enter: "#", clear: sentences.keyHeld.replace("{name}", "*"), back: "Backspace", menu: "Tab" };
const display = (view) => show({ ...view, keys: view.keys.map((key) => ({ cap: names[key.key] ?? key.key, ...key })) });
const fact = (label, text) => ({ key: "consentService", label, text });
const base = { language: "en", tone: "ask", keys: [{ key: "enter", label: sentences.actionOK },
  { key: "clear", label: sentences.actionClear }, { key: "back", label: sentences.actionBack }],
  isBusy: false, showsPreview: false, countdown: 30 };
for (const [name, text] of Object.entries(sentences)) {
  if (name.startsWith("action")) continue;
  for (const view of [
    { ...base, stage: "outcome", title: text, lines: [{ key: name, text }] },
    { ...base, stage: "pin", title: sentences.pinTitle, hint: text, entry: { count: 2, capacity: 6 },
      lines: [fact("", sentences.pinUser), fact("", sentences.consentService), fact("", sentences.consentDomain),
              { key: "pinHelpAny", text: sentences.pinHelpAny }] },
    { ...base, stage: "scan", showsPreview: true, title: sentences.scanTitle, hint: text,
      keys: [{ key: "1", label: sentences.actionMenu }, { key: "2", label: languageKey }], lines: [{ key: "scanHelp", text: sentences.scanHelp }] },
  ]) {
    display(view);
    for (const fault of check()) wrong.push(name + " at " + view.stage + ": " + fault);
  }
}
const before = [sentences.consentService, sentences.consentDomain, sentences.consentApplication,
  sentences.consentCustomer, sentences.consentTask, sentences.consentUser].map((text) => fact("", text));
display({ ...base, stage: "consent", title: sentences.consentTitle, lines: before,
  keys: [{ key: "enter", label: sentences.actionOK }, { key: "back", label: sentences.actionNotMe },
         { key: "menu", label: sentences.actionSomeoneElse }] });
for (const fault of check()) wrong.push("consent: " + fault);
// A page of the menu has six entries.
const errands = ["errandLogin", "errandOneTimePassword", "errandQuickCode", "errandIdentities", "errandEnrolment",
  "errandVerification", "errandSigning", "errandLocalLogin", "errandChangePIN"].map((name) => sentences[name]);
for (const six of [errands.slice(0, 6), errands.slice(-6)]) {
  display({ ...base, stage: "menu", title: sentences.menuTitle, lines: [{ key: "menuHelp", text: sentences.menuHelp }],
    countdown: undefined, keys: [...six.map((label, place) => ({ key: String(place + 1), label })),
      { key: "menu", label: sentences.actionMore }, { key: "back", label: sentences.actionBack }] });
  for (const fault of check()) wrong.push("menu: " + fault);
}
const row = { pieces: [{ text: "m".repeat(59), isMark: false }, { text: "W", isMark: true }] };
display({ ...base, stage: "document", title: sentences.documentTitle, document: Array.from({ length: 10 }, () => row),
  lines: [fact("", sentences.consentService), fact("", sentences.consentDomain), fact("", sentences.documentDescription),
          fact("", sentences.documentPage)], hint: sentences.documentMark, countdown: undefined,
  keys: [{ key: "enter", label: sentences.actionNextPage }, { key: "back", label: sentences.actionPreviousPage }] });
for (const fault of check()) wrong.push("document: " + fault);
return wrong;
"""

VALUES = {
    "service": "Example Shop of the Cooperative Society", "domain": "login.shop.example.com:8443",
    "application": "Orders and deliveries", "customer": "ACME Worldwide Trading Ltd", "minimum": "4",
    "user": "alexandra.papadopoulou@example.com", "status": "INCORRECT_ACCESS_NUMBER", "seconds": "290",
}


class Album:
    """Takes pictures at every size that the page is made for, into a folder."""

    def __init__(self, browser, folder):
        self.browser = browser
        self.folder = folder
        self.faults = []
        os.makedirs(folder, exist_ok=True)

    def take(self, name):
        for width, height in SIZES:
            self.browser.resize(width, height)
            # The page sets its letters anew when it hears of its size, which is before the next frame but one.
            self.browser.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            place = f"{name}-{width}x{height}"
            self.faults += [f"{place}: {fault}" for fault in self.browser.run(MISPLACED)]
            with open(os.path.join(self.folder, place + ".png"), "wb") as file:
                file.write(self.browser.picture())

    def measure(self, catalogue):
        """Shows every sentence of a language at the smallest size."""
        language = os.path.basename(catalogue).split(".")[0]
        sentences = self.sentences(catalogue)
        # The key that changes the language is labelled in the other ones.
        others = [file for file in glob.glob(os.path.join(os.path.dirname(catalogue), "*.yaml")) if file != catalogue]
        language_key = "/".join(self.sentences(file)["actionLanguage"] for file in others)
        filled = {
            key: re.sub(r"\{(\w+)\}", lambda gap: VALUES.get(gap.group(1), "1234"), text)
            for key, text in sentences.items()
        }
        self.browser.resize(*SIZES[0])
        self.faults += [f"{language}: {fault}" for fault in self.browser.run(SENTENCES, filled, MISPLACED, language_key)]
        return len(filled)

    @staticmethod
    def sentences(catalogue):
        with open(catalogue, encoding="utf-8") as file:
            return dict(re.findall(r'^(\w+): "(.*)"$', file.read(), re.MULTILINE))
