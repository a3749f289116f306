# SPDX-License-Identifier: Apache-2.0
"""The kiosk's sentences, and a view of the page in another language."""

import os
import re

# In place of what a service or a person is called: as long as many are.
USUAL = {
    "service": "Shop of the Cooperative", "domain": "login.shop.example.com", "application": "Orders and deliveries",
    "user": "alexandra.papadopoulou@example.com",
}
# Longer than most.
VALUES = {
    "service": "Example Shop of the Cooperative Society", "domain": "login.shop.example.com:8443",
    "application": "Orders and deliveries", "customer": "ACME Worldwide Trading Ltd", "minimum": "4",
    "user": "alexandra.papadopoulou@example.com", "status": "INCORRECT_ACCESS_NUMBER", "seconds": "290",
}

KEYBOARD = os.path.join(os.path.dirname(__file__), "../../Sources/Kiosk/Signage/TouchKeyboard.swift")


class Keyboards(dict):
    """The rows of the keyboard of each language, from the kiosk's source."""

    def __init__(self):
        with open(KEYBOARD, encoding="utf-8") as source:
            text = source.read()
        (self.signs,) = re.findall(r'signs = "(.*)"', text)
        super().__init__({language: self.rows(row) for language, row in re.findall(r'case "(\w+)": \[(.*)\]', text)})
        self.default = self.rows(re.search(r"default: \[(.*)\]", text).group(1))

    def rows(self, source):
        return ["1234567890", *re.findall(r'"(.*?)"', source), self.signs]

    def __missing__(self, language):
        return self.default


KEYBOARDS = Keyboards()


class Catalogue:
    """The sentences of one language."""

    def __init__(self, file):
        self.language = os.path.basename(file).split(".")[0]
        with open(file, encoding="utf-8") as source:
            self.sentences = dict(re.findall(r'^(\w+): "(.*)"$', source.read(), re.MULTILINE))

    def filled(self, key, values):
        return re.sub(r"\{(\w+)\}", lambda gap: values.get(gap.group(1), "1234"), self.sentences[key])

    def key(self, text):
        """The sentence that a text is, with what is in its gaps. The one with the most words of its own wins."""
        found = []
        for key, sentence in self.sentences.items():
            pattern = "".join(
                f"(?P<{part[1:-1]}>.*)" if part.startswith("{") else re.escape(part)
                for part in re.split(r"(\{\w+\})", sentence))
            match = re.fullmatch(pattern, text)
            if match:
                found.append((len(re.sub(r"\{\w+\}", "", sentence)), key, match.groupdict()))
        if not found:
            raise AssertionError(f"no sentence of {self.language}.yaml is {text!r}")
        return max(found, key=lambda one: one[0])[1:]


def translated(view, source, target, keyboards):
    """A view that the kiosk showed in the language of `source`, as it would show it in that of `target`."""
    def text(shown):
        key, values = source.key(shown)
        return target.filled(key, {**values, **USUAL})

    def line(shown):
        sentence = target.sentences[shown["key"]]
        if "label" not in shown:
            return {**shown, "text": text(shown["text"])}
        label, gap = re.fullmatch(r"(.*?)\s*\{(\w+)\}", sentence).groups()
        return {**shown, "label": label, "text": USUAL.get(gap, shown["text"])}

    result = {**view, "language": target.language, "title": text(view["title"]), "lines": [line(one) for one in view["lines"]]}
    if "hint" in view:
        result["hint"] = text(view["hint"])
    # The key that changes the language has another language's own name.
    result["keys"] = [
        {**key, "label": "English", "language": "en"} if key.get("language") == target.language
        else key if "language" in key else {**key, "label": text(key["label"])} for key in view["keys"]]
    if "keyboard" in view:
        keyboard = dict(view["keyboard"])
        if "rows" in keyboard:
            keyboard["rows"] = keyboards[target.language]
        for name in ("toLetters", "toDigits"):
            if name in keyboard:
                keyboard[name] = text(keyboard[name])
        result["keyboard"] = keyboard
    return result
