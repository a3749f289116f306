#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows each link of the pages that are installed, of the units' Documentation=, and each page that a program, a manual
page, an installed example or a file of the image names.

usage: links.py [PACKAGES | ROOT]

PACKAGES holds what `make deb` made: each .deb is unpacked and looked at alone. ROOT is the DESTDIR of `make install`. With
neither, what the pages and units are made from is installed into a folder that is removed again.
"""

import gzip
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^()\s]+)\)")
# In the repository, and nowhere else.
ELSEWHERE = re.compile(r"(?<![\w/.-])(?:deploy|Examples)/(?:fleet|website)\b|cd (?:deploy|Examples)/")
EXAMPLE = re.compile(r"/usr/share/login-kiosk(?:-backend)?/[\w./*-]*\w")
# A page as programs, manual pages and examples name it. Programs put the installed path in its place: InstalledPages.swift.
PAGE = re.compile(r"(?<![\w/.-])(docs|/usr/share/doc/login-kiosk(?:-backend)?)/([\w/-]+\.md)(?:#([\w-]+))?")
UNITS = ("lib/systemd/system", "usr/lib/systemd/system")


def anchors(page):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        found.add(re.sub(r"[^\w -]", "", words).strip().replace(" ", "-"))
    return found


def faults(root):
    """The links that lead nowhere below the root, one sentence each."""
    root = Path(root)
    pages = sorted((root / "usr/share/doc").rglob("*.md"))
    if not pages:
        yield f"{root} has no pages"
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for target in LINK.findall(text):
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            file = (page.parent / path) if path else page
            if not file.exists():
                yield f"{page}: {target} is not there"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                yield f"{page}: {target} has no such heading"
        for found in ELSEWHERE.findall(text):
            yield f"{page}: {found} is in the repository alone"
        for found in EXAMPLE.findall(text):
            # Overlays are compiled for the kiosk's package.
            if not (root / found[1:]).exists() and "/overlays" not in found:
                yield f"{page}: {found} is not there"
    for folder in UNITS:
        for unit in sorted((root / folder).glob("*.service")):
            for place in re.findall(r"^Documentation=(.*)$", unit.read_text(encoding="utf-8"), re.MULTILINE):
                if not place.startswith("file:") or not (root / place.removeprefix("file:")[1:]).is_file():
                    yield f"{unit}: {place} is not there"


def named(text, place, folder, mayStart=("docs", "/usr/share/doc/login-kiosk", "/usr/share/doc/login-kiosk-backend")):
    """The pages that a text names and the folder of pages lacks."""
    for start, name, anchor in PAGE.findall(text):
        page = folder / name
        if start not in mayStart:
            yield f"{place}: {start}/{name} is in the repository alone"
        elif not page.is_file():
            yield f"{place}: {start}/{name} is not there"
        elif anchor and anchor not in anchors(page):
            yield f"{place}: {start}/{name} has no heading #{anchor}"


def hints(folder):
    """The pages that programs name in lines of code, without comments, and those that files of the image name."""
    for file in sorted((TOP / "Sources").rglob("*.swift")):
        lines = file.read_text(encoding="utf-8").split("\n")
        code = "\n".join(line for line in lines if not line.lstrip().startswith("//"))
        yield from named(code, file.relative_to(TOP), folder)
    # The image has these files beside the kiosk's package.
    for file in [TOP / "deploy/image/README.boot.txt", *sorted((TOP / "deploy/image/files").rglob("*"))]:
        if file.is_file():
            yield from named(file.read_text(encoding="utf-8"), file.relative_to(TOP), folder, mayStart=["/usr/share/doc/login-kiosk"])


def read_texts(root):
    """Manual pages, completions, settings and examples below the root, which name installed pages by their whole path."""
    for file in sorted(root.rglob("*")):
        place = str(file.relative_to(root))
        if not file.is_file() or not place.startswith(
                ("usr/share/man", "usr/share/bash-completion", "usr/share/zsh", "usr/share/fish", "etc", "usr/share/login-kiosk")):
            continue
        data = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        # roff writes a hyphen as two characters, and a font as three.
        yield place, re.sub(r"\\f[BIRP]", "", data.decode("utf-8", "replace").replace("\\-", "-"))


def check(trees):
    found = [fault for tree in trees for fault in faults(tree)]
    for tree in map(Path, trees):
        folders = sorted((tree / "usr/share/doc").glob("login-kiosk*"))
        for place, text in read_texts(tree):
            found += named(text, f"{tree}/{place}", folders[0], mayStart=[f"/{folder.relative_to(tree)}" for folder in folders])
    found += hints(sorted(Path(trees[0], "usr/share/doc").glob("login-kiosk*"))[0])
    for fault in found:
        print(f"links: {fault}", file=sys.stderr)
    return bool(found)


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    given = Path(sys.argv[1]) if len(sys.argv) == 2 else None
    with tempfile.TemporaryDirectory() as folder:
        packages = sorted(given.glob("*.deb")) if given else []
        if packages:
            trees = []
            for number, package in enumerate(packages):
                trees.append(f"{folder}/{number}-{package.name.split('_')[0]}")
                subprocess.run(["dpkg-deb", "--extract", package, trees[-1]], check=True)
            # These have no pages, and no unit.
            trees = [tree for tree in trees if not tree.endswith(("-demo", "-display"))]
        elif given:
            trees = [given]
        else:
            trees = [f"{folder}/{package}" for package in ("login-kiosk", "login-kiosk-backend")]
            for package, tree in zip(("login-kiosk", "login-kiosk-backend"), trees):
                subprocess.run([sys.executable, "-B", TOP / "deploy/packages/pages.py", package, tree], check=True)
                units = Path(tree, UNITS[-1])
                units.mkdir(parents=True)
                (units / f"{package}.service").write_bytes((TOP / f"deploy/systemd/{package}.service").read_bytes())
        sys.exit(check(trees))


main()
