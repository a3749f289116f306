#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a static web site of README, pages and pictures, with the reference of the libraries beside them.

usage: docs/site.py OUT [--reference DIR] [--base PATH]

OUT is replaced. DIR holds MPinClient.doccarchive and MPinCrypto.doccarchive, made by docs/reference.sh. The pages have no
script, load nothing from another server, and work from a folder as from a server. The reference has docc's own script, and
needs a server and the site's PATH on it. Needs python3-markdown. A link that leads nowhere is an error.
"""

import argparse
import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path

import markdown

TOP = Path(__file__).resolve().parents[1]
PAGES = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]
LIBRARIES = ["MPinClient", "MPinCrypto"]

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --text: #1b2333; --quiet: #56617a; --line: #d8deea; --accent: #0b5fae;
  --raised: #f4f6fa; }
@media (prefers-color-scheme: dark) { :root { --ground: #0a0f1c; --text: #f6f8fc; --quiet: #bcc6da; --line: #4a587c;
  --accent: #5cc8ff; --raised: #18213a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 17px/1.55 system-ui, sans-serif; }
.page { display: grid; grid-template-columns: 17rem minmax(0, 54rem); gap: 3rem; max-width: 78rem; margin: 0 auto;
  padding: 2rem 1.5rem; }
nav { font-size: 0.9rem; }
nav h2 { font-size: 0.8rem; color: var(--quiet); margin: 1.4rem 0 0.3rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.1rem 0; text-decoration: none; }
nav a[aria-current] { font-weight: 700; color: var(--text); }
a { color: var(--accent); }
h1 { line-height: 1.2; margin-top: 0; }
h2 { margin-top: 2.4rem; border-bottom: 1px solid var(--line); padding-bottom: 0.2rem; }
pre, code { font: 0.88em/1.5 ui-monospace, monospace; background: var(--raised); border-radius: 4px; }
code { padding: 0.1em 0.3em; overflow-wrap: anywhere; }
pre { padding: 0.9rem 1rem; overflow-x: auto; }
pre code { padding: 0; overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; }
blockquote { margin: 1rem 0; padding: 0.1rem 1rem; border-left: 4px solid var(--accent); background: var(--raised); }
img { max-width: 100%; height: auto; }
@media (max-width: 60rem) { .page { grid-template-columns: minmax(0, 1fr); gap: 1rem; } nav { order: 2; } }
"""

TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{root}style.css">
</head>
<body>
<div class="page">
<nav aria-label="Pages"><a href="{root}index.html"><strong>login-kiosk</strong></a>
{menu}</nav>
<main>
{body}
</main>
</div>
</body>
</html>
"""


def slug(heading, separator):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", separator)


def address(page):
    """The place of a page's file on the site, from its place in the repository."""
    return "index.html" if page == "README.md" else re.sub(r"\.md$", ".html", page)


def listed(tracked):
    """The pages, by their places in the repository."""
    return PAGES + [name for name in tracked if name.startswith("docs/") and name.endswith(".md")]


class Site:
    def __init__(self, out):
        self.out = out
        self.tracked = subprocess.run(
            ["git", "-C", TOP, "ls-files"], check=True, capture_output=True, text=True).stdout.splitlines()
        self.pages = listed(self.tracked)
        self.copied = set()

    def target(self, page, link):
        """The link of a page on the site, from that in the repository."""
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link) or not path:
            return link
        place = os.path.normpath(os.path.join(os.path.dirname(page), urllib.parse.unquote(path)))
        if place in self.pages:
            new = address(place)
        elif place in self.tracked:
            # A browser shows a text, whatever the file's ending is.
            new = place if re.search(r"\.(svg|png|jpe?g)$", place) else f"files/{place}.txt"
            if place not in self.copied:
                self.copied.add(place)
                (self.out / new).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(TOP / place, self.out / new)
        else:
            files = [name for name in self.tracked if name.startswith(f"{place}/")]
            if not files:
                raise SystemExit(f"{page}: {link} leads nowhere")
            new = f"files/{place}/index.html"
            if place not in self.copied:
                self.copied.add(place)
                rows = "\n".join(
                    f'* [{name[len(place) + 1:]}]({os.path.relpath(name, os.path.dirname(page) or ".")})' for name in files)
                body = self.body(page, f"# {place}\n\n{rows}\n")
                self.write(new, place, self.moved(body, address(page), new))
        return os.path.relpath(new, os.path.dirname(address(page)) or ".") + (f"#{anchor}" if anchor else "")

    @staticmethod
    def moved(body, old, new):
        """The body of a page that was made for another folder."""
        def move(match):
            place = os.path.normpath(os.path.join(os.path.dirname(old), match[1]))
            return f'href="{os.path.relpath(place, os.path.dirname(new) or ".")}"'
        return re.sub(r'href="([^"#:]+)"', move, body)

    def body(self, page, text):
        """The page's text in HTML, with the site's links."""
        made = markdown.markdown(
            text, extensions=["tables", "fenced_code", "sane_lists", "toc"],
            extension_configs={"toc": {"slugify": slug}})
        return re.sub(
            r'(href|src)="([^"]+)"',
            lambda match: f'{match[1]}="{html.escape(self.target(page, html.unescape(match[2])))}"', made)

    def write(self, place, title, body):
        root = os.path.relpath(".", os.path.dirname(place) or ".")
        root = "" if root == "." else root + "/"
        file = self.out / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(TEMPLATE.format(
            title=html.escape(title), root=root, body=body, menu=self.menu(place, root)), encoding="utf-8")

    def menu(self, place, root):
        """The pages by the parts of the map, which are the rows of its last table."""
        lists = []
        text = (TOP / "docs/README.md").read_text(encoding="utf-8").split("## All pages", 1)[1]
        for part, row in re.findall(r"^\| ([A-Z][^|]*) \| (.*) \|$", text, re.MULTILINE):
            rows = []
            for name, link in re.findall(r"\[([^\]]+)\]\(([^)#\s]+\.md)\)", row):
                page = os.path.normpath(os.path.join("docs", link))
                here = ' aria-current="page"' if address(page) == place else ""
                rows.append(f'<li><a href="{root}{address(page)}"{here}>{html.escape(name)}</a></li>')
            lists.append(f"<h2>{html.escape(part)}</h2>\n<ul>\n" + "\n".join(rows) + "\n</ul>")
        if (self.out / "reference").is_dir():
            lists.append("<h2>Reference</h2>\n<ul>\n" + "\n".join(
                f'<li><a href="{root}reference/{name}/documentation/{name.lower()}/">{name}</a></li>'
                for name in LIBRARIES) + "\n</ul>")
        return "\n".join(lists) + "\n"

    def make(self, reference, base):
        if reference:
            (self.out / "reference").mkdir()
            for name in LIBRARIES:
                subprocess.run(
                    ["docc", "process-archive", "transform-for-static-hosting", Path(reference) / f"{name}.doccarchive",
                     "--output-path", self.out / "reference" / name, "--hosting-base-path", f"{base}reference/{name}"],
                    check=True, stdout=subprocess.DEVNULL)
        (self.out / "style.css").write_text(STYLE.lstrip(), encoding="utf-8")
        for page in self.pages:
            text = (TOP / page).read_text(encoding="utf-8")
            title = re.search(r"^# +(.*)$", text, re.MULTILINE)[1].replace("`", "")
            self.write(address(page), title, self.body(page, text))


class Links(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.loaded = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if "id" in values:
            self.anchors.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in ("img", "link", "script", "iframe"):
            self.loaded.append(values.get("src") or values.get("href") or "inline")


def faults(out):
    """The links that lead nowhere on the site or load something from another server, one sentence each."""
    pages = {file: Links(file.read_text(encoding="utf-8"))
             for file in sorted(out.rglob("*.html")) if "reference" not in file.relative_to(out).parts}
    for file, page in pages.items():
        for link in page.links + page.loaded:
            if re.match(r"[a-z]+:", link):
                if link in page.loaded:
                    yield f"{file}: {link} is another server's"
                continue
            path, _, anchor = link.partition("#")
            target = Path(os.path.normpath(file.parent / urllib.parse.unquote(path))) if path else file
            if not target.exists():
                yield f"{file}: {link} is not there"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{file}: {link} has no such heading"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--reference", metavar="DIR")
    parser.add_argument("--base", metavar="PATH", default="/", help="begins and ends with a slash")
    arguments = parser.parse_args()
    out = arguments.out.absolute()
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".site-") as folder:
        made = Path(folder) / "site"
        made.mkdir()
        Site(made).make(arguments.reference, arguments.base)
        found = [fault.replace(f"{made}/", "") for fault in faults(made)]
        for fault in found:
            print(fault, file=sys.stderr)
        if found:
            sys.exit(1)
        shutil.rmtree(out, ignore_errors=True)
        made.rename(out)
    print(f"site: {len(list(out.rglob('*.html')))} pages, {arguments.out}/index.html")


if __name__ == "__main__":
    main()
