#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how a keypad is wired to a Raspberry Pi's pin header, from the overlay that tells the kernel the same.

    docs/wiring.py           draw docs/pictures/wiring-*.svg, one for each file in deploy/overlays
    docs/wiring.py --check   exit with 1 when a drawing is not what its overlay says
"""

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
# The GPIO number at each pin of the header, 1 to 40; the others are supply, ground, and the pins of a HAT's memory.
HEADER = (
    "3V3 5V 2 5V 3 GND 4 14 GND 15 17 18 27 GND 22 23 3V3 24 10 GND 9 25 11 8 GND 7 ID ID 5 GND 6 12 13 GND 19 16 26 20 "
    "GND 21"
).split()
# Names of the kernel's key codes (linux/input-event-codes.h): KEY_NUMERIC_0 is 0x200.
KEYS = {0x200 + digit: str(digit) for digit in range(10)} | {0x20A: "*", 0x20B: "#"} | {
    0x20C + number: letter for number, letter in enumerate("ABCD")
}
# Told apart by people who see red and green as one (Okabe and Ito), and by the labels at both ends.
COLOURS = ["#e69f00", "#56b4e9", "#009e73", "#d55e00", "#0072b2", "#cc79a7", "#8a6d00", "#555555"]


class Pad:
    """The pad of an overlay: GPIO numbers of rows and columns, and the key at each crossing."""

    def __init__(self, source):
        self.rows = self.lines(source, "row-gpios")
        self.columns = self.lines(source, "col-gpios")
        keymap = re.search(r"linux,keymap\s*=\s*<([^>]*)>", source).group(1)
        self.keys = {}
        for entry in (int(word, 16) for word in keymap.split()):
            self.keys[entry >> 24, (entry >> 16) & 0xFF] = KEYS[entry & 0xFFFF]

    @staticmethod
    def lines(source, name):
        value = re.search(name + r"\s*=\s*([^;]*);", source).group(1)
        return [number for number in re.findall(r"<&gpio\s+(\d+)\s+\d+>", value)]

    def wires(self):
        """In the order of a membrane pad's connector: rows from above, then columns from the left."""
        named = [(f"row {i + 1}", line) for i, line in enumerate(self.rows)]
        named += [(f"column {i + 1}", line) for i, line in enumerate(self.columns)]
        return [(name, line, HEADER.index(line) + 1) for name, line in named]


def drawing(pad):
    """An SVG picture: the header seen from above with pin 1 at the top, the pad, and a wire for each line."""
    pitch, left, top = 16, 150, 44
    height = top + 20 * pitch
    pad_left, key = 410, 44
    connector = top + len(pad.rows) * key + 16
    bottom = height + 24
    wires = pad.wires()
    width = pad_left + len(wires) * 30 + 40
    out = []

    def text(x, y, words, anchor="middle", size=11, more=""):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        out.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}"{more}>{words}</text>')

    text(left + pitch, 24, "pin header of the Raspberry Pi", size=13)
    text(pad_left + len(pad.columns) * key / 2, 24, f"keypad {len(pad.rows)} x {len(pad.columns)}", size=13)
    out.append(
        f'<rect x="{left - 4}" y="{top - 4}" width="{2 * pitch + 8}" height="{20 * pitch + 8}" rx="3" fill="#222"/>')
    for index, signal in enumerate(HEADER):
        x, y = left + (index % 2) * pitch, top + index // 2 * pitch
        used = next((number for number, wire in enumerate(wires) if wire[2] == index + 1), None)
        fill = "#bbb" if used is None else COLOURS[used]
        out.append(f'<circle cx="{x + pitch / 2}" cy="{y + pitch / 2}" r="5" fill="{fill}"/>')
        if index == 0 or used is not None:
            at = (left - 10, "end") if index % 2 == 0 else (left + 2 * pitch + 8, "start")
            text(at[0], y + pitch / 2 - 3, str(index + 1), at[1], 9)

    for row in range(len(pad.rows)):
        for column in range(len(pad.columns)):
            x, y = pad_left + column * key, top + row * key
            out.append(f'<rect x="{x}" y="{y}" width="{key - 6}" height="{key - 6}" rx="6" fill="#fff" stroke="#333"/>')
            text(x + key / 2 - 3, y + key / 2 + 4, pad.keys.get((row, column), ""), size=18)

    # Wires that start farther up on the left run farther out, so that they cross only where they rise to the pad.
    odd = sorted(pin for _, _, pin in wires if pin % 2)
    for number, (_, _, pin) in enumerate(wires):
        y = top + (pin - 1) // 2 * pitch + pitch / 2
        end = pad_left + number * 30 + 10
        start = lane = left + (1.5 - pin % 2) * pitch
        turn = y
        if pin % 2:
            out_by = (len(odd) - odd.index(pin)) * 12
            lane, turn = left - 20 - out_by, bottom + out_by
        path = f"M{start:g} {y:g} H{lane:g} V{turn:g} H{end:g} V{connector + 30:g}"
        out.append(f'<path d="{path}" fill="none" stroke="#fff" stroke-width="5"/>')
        out.append(f'<path d="{path}" fill="none" stroke="{COLOURS[number]}" stroke-width="2.5"/>')
        out.append(f'<rect x="{end - 6}" y="{connector + 8}" width="12" height="22" fill="{COLOURS[number]}"/>')
    text(pad_left - 14, connector + 24, "connector", "end")
    table = bottom + len(odd) * 12 + 36
    for number, (name, line, pin) in enumerate(wires):
        x, y = 40 + number // 4 * 300, table + number % 4 * 18
        out.append(f'<rect x="{x}" y="{y - 9}" width="22" height="10" fill="{COLOURS[number]}"/>')
        text(x + 30, y, f"{name}: GPIO {line}, pin {pin}", "start", 12)
    total = table + 4 * 18
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" width="{width}" height="{total}" '
        'font-family="sans-serif">\n<rect width="100%" height="100%" fill="#fff"/>\n')
    return head + "\n".join(out) + "\n</svg>\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 64
    status = 0
    for overlay in sorted((TOP / "deploy/overlays").glob("*.dts")):
        picture = TOP / "docs/pictures" / overlay.name.replace("login-kiosk-keypad", "wiring").replace(".dts", ".svg")
        drawn = drawing(Pad(overlay.read_text()))
        if not arguments:
            picture.write_text(drawn)
        elif not picture.exists() or picture.read_text() != drawn:
            print(f"{picture.relative_to(TOP)} is not what {overlay.relative_to(TOP)} says\nhint: docs/wiring.py",
                  file=sys.stderr)
            status = 1
    return status


sys.exit(main(sys.argv[1:]))
