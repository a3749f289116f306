#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the groups of modules and their dependencies, as the manifest has them.

    docs/architecture.py           draw docs/pictures/architecture.svg
    docs/architecture.py --check   exit with 1 when the picture is not what the manifest says
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
PICTURE = TOP / "docs/pictures/architecture.svg"
# Rows from the top; a group uses groups of the rows below it.
ROWS = [["Tools"], ["Kiosk", "Backend"], ["Fleet"], ["SDK"], ["Common"], ["C"]]
WIDTH, LINE, GAP, MARGIN = 960, 20, 34, 20


def modules():
    """The modules of each group and the groups that each uses, tests left out."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LOGIN_KIOSK_")}
    with tempfile.TemporaryDirectory() as scratch:
        # In a folder of its own, for the usual one is locked during a build.
        text = subprocess.run([os.environ.get("SWIFT", "swift"), "package", "--scratch-path", scratch, "dump-package"],
                              cwd=TOP, env=environment, check=True, capture_output=True, text=True).stdout
    targets = [target for target in json.loads(text)["targets"] if target["path"].startswith("Sources/")]
    group_of = {target["name"]: target["path"].split("/")[1] for target in targets}
    groups, uses = {}, {}
    for target in targets:
        group = group_of[target["name"]]
        groups.setdefault(group, []).append(target["name"])
        names = [dependency["byName"][0] for dependency in target["dependencies"] if "byName" in dependency]
        uses.setdefault(group, set()).update(group_of[name] for name in names if name in group_of)
    return groups, {group: used - {group} for group, used in uses.items()}


def wrapped(names, width):
    lines = [""]
    for name in names:
        longer = f"{lines[-1]}   {name}" if lines[-1] else name
        if len(longer) * 7.3 > width and lines[-1]:
            lines.append(name)
        else:
            lines[-1] = longer
    return lines


def picture():
    groups, uses = modules()
    if set(groups) != {group for row in ROWS for group in row}:
        sys.exit(f"architecture.py: groups {sorted(groups)} are not those of ROWS")
    boxes, y = [], MARGIN
    for row in ROWS:
        width = (WIDTH - 2 * MARGIN - GAP * (len(row) - 1)) / len(row)
        texts = [wrapped(groups[group], width - 24) for group in row]
        height = max(map(len, texts)) * LINE + 58
        for column, (group, lines) in enumerate(zip(row, texts)):
            used = [other for names in ROWS for other in names if other in uses.get(group, set())]
            boxes.append((MARGIN + column * (width + GAP), y, width, height, group, lines, used))
        y += height + GAP / 2
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:g}" font-family="sans-serif" font-size="14">',
           f'<title>Modules by group, and the groups that each group uses</title>',
           f'<rect width="{WIDTH}" height="{y:g}" fill="#fff"/>']
    for x, top, width, height, group, lines, used in boxes:
        out.append(f'<rect x="{x:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="6" fill="#f2f5f9" stroke="#456"/>')
        out.append(f'<text x="{x + 12:g}" y="{top + 22:g}" font-weight="bold" fill="#123">{group}</text>')
        for number, line in enumerate(lines):
            out.append(f'<text x="{x + 12:g}" y="{top + 44 + number * LINE:g}" fill="#234" xml:space="preserve">{line}</text>')
        words = "uses " + ", ".join(used) if used else "uses C libraries"
        out.append(f'<text x="{x + 12:g}" y="{top + height - 10:g}" font-size="12" fill="#678">{words}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    drawn = picture()
    if sys.argv[1:] == ["--check"]:
        if not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != drawn:
            sys.exit("docs/pictures/architecture.svg is not what Package.swift says; draw it again: docs/architecture.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        PICTURE.write_text(drawn, encoding="utf-8")


main()
