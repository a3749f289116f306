#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the pages of docs, and the examples that they send operators to.

usage: pages.py PACKAGE ROOT [PREFIX]

PACKAGE is login-kiosk or login-kiosk-backend, each of which has all pages: a machine may have one of them alone. Pages go to
ROOT/PREFIX/share/doc/PACKAGE, and examples to ROOT/PREFIX/share/PACKAGE; PREFIX is /usr by default.

A link to what is installed leads there. Of a link to anything else in the repository the text stays. Paths of examples in
the text, and of pages in examples, become those of the installed ones.
"""

import os
import re
import shutil
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PACKAGES = ["login-kiosk", "login-kiosk-backend"]
# The sheets of all screens (.jpg) would be a fifteenth of the package.
PAGES = ["SECURITY.md", "docs/*.md", "docs/decisions/*.md", "docs/protocol/*.md", "docs/pictures/*.svg",
         "docs/pictures/*.png", "docs/pictures/flows/*"]
EXAMPLES = {"deploy/fleet": "fleet", "Examples/website": "website"}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
PAGE = re.compile(r"(?<![\w/.-])docs/[\w/-]+\.md")
EXAMPLE = re.compile(r"(?<![\w/.-])(%s)(?![\w-])" % "|".join(EXAMPLES))


def places(package, prefix):
    """The installed path of each file in the repository, and of the examples' folders."""
    found = {}
    for pattern in PAGES:
        for file in sorted(TOP.glob(pattern)):
            name = file.relative_to(TOP)
            below = name.relative_to("docs") if name.parts[0] == "docs" else name
            found[str(name)] = f"{prefix}/share/doc/{package}/{below}"
    for source, name in EXAMPLES.items():
        for path in [TOP / source, *sorted((TOP / source).rglob("*"))]:
            if "__pycache__" not in path.parts:
                inside = path.relative_to(TOP / source)
                found[str(path.relative_to(TOP))] = os.path.normpath(f"{prefix}/share/{package}/{name}/{inside}")
    return found


def installed(text, source, installs):
    """The text of a page, with its links as they are in the installed copy."""
    def link(match):
        mark, words, target = match.groups()
        path, hash_mark, anchor = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match[0]
        name = os.path.normpath(os.path.join(os.path.dirname(source), path))
        if name not in installs:
            return words
        return f"{mark}[{words}]({os.path.relpath(installs[name], os.path.dirname(installs[source]))}{hash_mark}{anchor})"

    parts, end = [], 0
    for match in LINK.finditer(text):
        parts += [(text[end:match.start()], False), (link(match), True)]
        end = match.end()
    parts.append((text[end:], False))

    def move(words):
        return EXAMPLE.sub(lambda found: installs[found[1]], words)

    # Of a link only the words name a path to a person.
    return "".join(re.sub(r"^[^\]]*", lambda found: move(found[0]), part) if is_link else move(part)
                   for part, is_link in parts)


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in PACKAGES:
        sys.exit(__doc__)
    package, root, prefix = sys.argv[1], sys.argv[2], (*sys.argv[3:], "/usr")[0]
    installs = places(package, prefix)
    for source, place in installs.items():
        if (TOP / source).is_dir():
            continue
        target = Path(f"{root}{place}")
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.endswith(".md"):
            target.write_text(installed((TOP / source).read_text(encoding="utf-8"), source, installs), encoding="utf-8")
        elif source.startswith("docs/"):
            shutil.copyfile(TOP / source, target)
        else:
            text = (TOP / source).read_text(encoding="utf-8")
            target.write_text(PAGE.sub(lambda page: installs[page[0]], text), encoding="utf-8")
        target.chmod(0o644)


main()
