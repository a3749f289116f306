#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Describes an image for Raspberry Pi Imager 2: where it is, its sizes and sums, and which machines it starts.

  manifest.py IMAGE VERSION ARCHITECTURE MANIFEST [URL]

IMAGE is the image as it is written to a card; IMAGE.zst lies beside it. VERSION ends with +, and the time as twelve digits.
MANIFEST is written whole or not at all. URL is the folder from where people load IMAGE.zst; without it the manifest names
the folder of MANIFEST on this computer.
"""
import hashlib
import json
import os
import pathlib
import re
import sys
import urllib.parse

# Imager shows an image where the machine that a person chose has one of its tags. A manifest brings its own list of machines:
# Imager's list is that of its own repository. The tags are Imager's.
MACHINES = {
    "arm64": [("Raspberry Pi 4", "Models B and 400", ["pi4-64bit"]),
              ("Raspberry Pi 3 and Zero 2 W", "Models A+, B and B+, and Zero 2 W", ["pi3-64bit"])],
    "amd64": [("PC", "A computer or virtual machine with UEFI", ["pc-uefi"])],
}
# As Imager names it; it knows no name for a PC's.
ARCHITECTURES = {"arm64": {"architecture": "armv8"}, "amd64": {}}
# One that Imager has.
ICON = "icons/cat_other_specific_purpose_operating_systems.png"


def refuse(code, message, hint):
    print(f"manifest: {message}\nhint: {hint}", file=sys.stderr)
    sys.exit(code)


def measured(path):
    """A file's size and its SHA-256."""
    try:
        with open(path, "rb") as file:
            return os.path.getsize(path), hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        refuse(66, f"{path} cannot be read: {error.strerror}", "sudo make image")


def manifest(image, version, architecture, folder):
    if architecture not in MACHINES:
        refuse(64, f"no image is known for the architecture {architecture}", "arm64 or amd64")
    date = re.fullmatch(r"[0-9.]+\+(\d{4})(\d{2})(\d{2})\d{4}", version)
    if not date:
        refuse(64, f"{version} is not an image's version", "for example 1.0+202601312359")
    size, digest = measured(image)
    download_size, download_digest = measured(image + ".zst")
    machines = MACHINES[architecture]
    return {
        "imager": {"devices": [
            {"name": name, "description": text, "tags": tags, "matching_type": "exclusive", **ARCHITECTURES[architecture]}
            for name, text, tags in machines]},
        "os_list": [{
            "name": f"login-kiosk {version.split('+')[0]}",
            "description": "Log in by a QR code and a PIN. Settings go on the boot partition, afterwards.",
            "icon": ICON,
            "url": f"{folder}/{urllib.parse.quote(os.path.basename(image))}.zst",
            "extract_size": size,
            "extract_sha256": digest,
            "image_download_size": download_size,
            "image_download_sha256": download_digest,
            "release_date": "-".join(date.groups()),
            # The image does not read the settings that Imager would ask for and write for the first start.
            "init_format": "none",
            "devices": [tag for _, _, tags in machines for tag in tags],
            **ARCHITECTURES[architecture],
        }],
    }


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    image, version, architecture, path = sys.argv[1:5]
    folder = sys.argv[5].rstrip("/") if len(sys.argv) == 6 else pathlib.Path(path).absolute().parent.as_uri()
    if not re.fullmatch(r"(https?://[^/?#\s]+|file://)(/[^?#\s]*)?", folder):
        refuse(64, f"{folder} is not the address of a folder", "IMAGE_URL=https://downloads.example.com/kiosk")
    content = json.dumps(manifest(image, version, architecture, folder), indent=2) + "\n"
    try:
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(path + ".new", path)
    except OSError as error:
        refuse(73, f"{path} cannot be written: {error.strerror}", "choose a folder that can be written to")


main()
