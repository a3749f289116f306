#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the scanner with zxing-cpp and zbar on BoofCV's benchmark photographs.

    Tests/photographs/run.py PROGRAMS DATA [--each] [--json]

PROGRAMS is a folder with login-kiosk and login-kiosk-scanner. DATA is a checkout of paulmillr/qr-code-vectors, which has
BoofCV's photographs, or any folder of folders of pictures: each is a category. A picture is read when any code in it is read;
nobody has labelled their texts.
"""
import argparse, importlib.metadata, json, os, pathlib, re, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor

import numpy
import PIL.Image
import pyzbar.pyzbar
import zxingcpp

SUFFIXES = {".jpg", ".jpeg", ".png"}
# A picture takes about a second at most.
LIMIT = 60


def scanned(programs, picture):
    """The texts that the scanner prints, and the seconds that it took."""
    start = time.monotonic()
    try:
        done = subprocess.run([programs / "login-kiosk", "scan", "--source", f"file:{picture}", "--json"], timeout=LIMIT,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return [], LIMIT
    if done.returncode != 0:
        sys.exit(f"run.py: {picture}: scan ended with {done.returncode}: {done.stderr.strip()}")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    texts = [record.get("text", record.get("base64", "")) for record in records if record["event"] == "symbol"]
    return texts, time.monotonic() - start


def read(programs, picture):
    """The texts that each decoder reads of one picture."""
    ours, seconds = scanned(programs, picture)
    with PIL.Image.open(picture) as image:
        grey = image.convert("L")
    found = zxingcpp.read_barcodes(numpy.asarray(grey), formats=zxingcpp.BarcodeFormat.QRCode)
    zbar = pyzbar.pyzbar.decode(grey, symbols=[pyzbar.pyzbar.ZBarSymbol.QRCODE])
    return {"scanner": ours, "zxing-cpp": [one.text for one in found if one.text],
            "pyzbar": [one.data.decode(errors="replace") for one in zbar]}, seconds


def number(picture):
    digits = re.findall(r"\d+", picture.stem)
    return int(digits[-1]) if digits else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--each", action="store_true", help="tell what was read of each picture")
    parser.add_argument("--json", action="store_true", help="print one object")
    options = parser.parse_args()
    folder = options.data / "boofcv-v3/detection"
    folder = folder if folder.is_dir() else options.data
    pictures = sorted(path for path in folder.glob("*/*") if path.suffix.lower() in SUFFIXES)
    if not pictures:
        sys.exit(f"run.py: no pictures in the folders of {folder}")
    names = ["scanner", "zxing-cpp", "pyzbar"]
    table, slowest = {}, 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda picture: read(options.programs, picture), pictures)
        for picture, (texts, seconds) in zip(pictures, results):
            slowest = max(slowest, seconds)
            rows = [picture.parent.name, "all", "odd numbers" if number(picture) % 2 else "even numbers"]
            for row in rows:
                counts = table.setdefault(row, dict.fromkeys(["pictures"] + names, 0))
                counts["pictures"] += 1
                for name in names:
                    counts[name] += bool(texts[name])
            if options.each:
                print(f"{picture.parent.name}/{picture.name}", *(f"{name} {texts[name]!r}" for name in names), sep="\t",
                      file=sys.stderr, flush=True)
    versions = {name: importlib.metadata.version(name) for name in names[1:]}
    if options.json:
        print(json.dumps({"versions": versions, "table": table, "slowest_seconds": round(slowest, 2)}, indent=2))
        return
    last = ["all", "odd numbers", "even numbers"]
    print(f"| Category (photographs) | scanner | zxing-cpp {versions['zxing-cpp']} | pyzbar {versions['pyzbar']} |")
    print("|---|---|---|---|")
    for row in sorted(set(table) - set(last)) + [row for row in last if row in table]:
        print(f"| {row} {table[row]['pictures']} |", " | ".join(str(table[row][name]) for name in names), "|")
    print(f"\nThe slowest picture took the scanner {slowest:.1f} s, the start of its two processes among them.")


main()
