#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares manifests for Raspberry Pi Imager with what Imager 2 asks of them, and with the images that they describe.

  manifest.py [MANIFEST...]

Each MANIFEST lies beside its image. Without one, deploy/image/manifest.py describes small images, and is given what it must refuse.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

MAKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../deploy/image/manifest.py")
# By Imager's schema of an entry, and by what its code reads: an entry with an `init_format` that it does not know is left out.
ENTRY = {"name": str, "description": str, "icon": str, "url": str, "extract_size": int, "extract_sha256": str,
         "image_download_size": int, "release_date": str, "devices": list,
         # Optional members, which our manifests have.
         "image_download_sha256": str, "init_format": str}
FORMATS = {"", "systemd", "cloudinit", "cloudinit-rpi", "rpi-preseed", "none"}
MACHINE = {"name": str, "description": str, "tags": list}
passed = failed = 0


def check(name, faults):
    global passed, failed
    if faults:
        failed += 1
        print(f"FAIL  {name}", *faults, sep="\n      ")
    else:
        passed += 1
        print(f"ok    {name}")


def shape(what, value, required, optional):
    for key, kind in required.items():
        if not isinstance(value.get(key), kind) or value[key] in ("", []):
            yield f"{what} has no {key}, or another kind of it: {value.get(key)!r}"
    for key, kind in optional.items():
        if key in value and not isinstance(value[key], kind):
            yield f"{what} has another kind of {key}: {value[key]!r}"


def faults(path):
    """The members that Imager would refuse, and the false ones, one sentence each."""
    with open(path, encoding="utf-8") as file:
        manifest = json.load(file)
    # Imager takes an address only where it ends like that, and a file only by that name.
    if not path.endswith(".rpi-imager-manifest"):
        yield f"{path} is no name that Imager opens"
    machines, entries = manifest.get("imager", {}).get("devices", []), manifest.get("os_list", [])
    if not machines or not entries:
        yield "no machine can be chosen, or no image"
    for machine in machines:
        yield from shape("a machine", machine, MACHINE, {"matching_type": str, "architecture": str})
    tags = {tag for machine in machines for tag in machine["tags"]}
    for entry in entries:
        if lacking := list(shape("an image", entry, ENTRY, {"architecture": str})):
            yield from lacking
            continue
        if entry["init_format"] not in FORMATS:
            yield f"Imager leaves out what has init_format {entry['init_format']}"
        if not set(entry["devices"]) <= tags:
            yield f"of {entry['devices']} some belong to no machine of the list, and the image is never shown"
        if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", entry["release_date"]):
            yield f"{entry['release_date']} is no date"
        if entry.get("architecture", "armv8") not in ("armel", "armhf", "armv8"):
            yield f"Imager knows no {entry['architecture']}"
        place = urllib.parse.urlsplit(entry["url"])
        if place.scheme not in ("http", "https", "file") or place.query or place.fragment or not place.path.endswith(".img.zst"):
            yield f"{entry['url']} is no address of an image"
        image = os.path.join(os.path.dirname(path), os.path.basename(urllib.parse.unquote(place.path)))
        if place.scheme == "file" and urllib.parse.unquote(place.path) != os.path.abspath(image):
            yield f"{entry['url']} is not beside the manifest"
        if not os.path.isfile(image):
            yield f"{image} is not there"
            continue
        with open(image, "rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != entry["image_download_sha256"]:
                yield "image_download_sha256 is another file's"
        if os.path.getsize(image) != entry["image_download_size"]:
            yield "image_download_size is another file's"
        # The sum of the bytes that Imager writes and compares: without it Imager takes the first megabyte back.
        unpacked = hashlib.sha256()
        size = 0
        with subprocess.Popen(["zstd", "--decompress", "--stdout", "--quiet", image], stdout=subprocess.PIPE) as zstd:
            while block := zstd.stdout.read(1 << 20):
                unpacked.update(block)
                size += len(block)
        if (size, unpacked.hexdigest()) != (entry["extract_size"], entry["extract_sha256"]):
            yield "extract_size or extract_sha256 is not that of the unpacked image"


def made(*words):
    return subprocess.run([sys.executable, "-B", MAKER, *words], capture_output=True, text=True, timeout=60)


def small_images():
    with tempfile.TemporaryDirectory() as folder:
        # A folder and a version with letters that an address has otherwise.
        folder = os.path.join(folder, "out #1 ü")
        os.mkdir(folder)
        for architecture in ("arm64", "amd64"):
            version = "1.0+202601312359"
            image = os.path.join(folder, f"login-kiosk-{version}-{architecture}.img")
            with open(image, "wb") as file:
                file.write(os.urandom(100_000) + bytes(3_000_000))
            subprocess.run(["zstd", "--quiet", image], check=True)
            path = image.removesuffix(".img") + ".rpi-imager-manifest"
            for url in ([], ["https://downloads.example.com/kiosk/"]):
                answer = made(image, version, architecture, path, *url)
                check(f"{architecture}, {url[0] if url else 'from here'}",
                      [answer.stderr] if answer.returncode else list(faults(path)))
        with open(path, encoding="utf-8") as file:
            before = file.read()
        check("the address is the folder's, with the file's name in it",
              [] if '"https://downloads.example.com/kiosk/login-kiosk-1.0%2B' in before else [before])
        for name, code, words in (
                ("another architecture", 64, (image, version, "riscv64", path)),
                ("a version without a time", 64, (image, "1.0", "arm64", path)),
                ("an address of no web server", 64, (image, version, "arm64", path, "ftp://downloads.example.com")),
                ("an address with a query", 64, (image, version, "arm64", path, "https://downloads.example.com/?a=b")),
                ("an image that is not there", 66, (image + ".not", version, "arm64", path)),
                ("a folder that is not there", 73, (image, version, "arm64", os.path.join(folder, "none", "x")))):
            answer = made(*words)
            said = answer.stderr
            check(f"refused: {name}",
                  [] if answer.returncode == code and "\nhint: " in said and "Traceback" not in said else [said])
        with open(path, encoding="utf-8") as file:
            check("and the manifest before stays", [] if file.read() == before else ["it is another"])
        check("nothing else is left", [name for name in os.listdir(folder) if name.endswith(".new")])


for path in sys.argv[1:]:
    check(os.path.basename(path), list(faults(path)))
if len(sys.argv) == 1:
    small_images()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
