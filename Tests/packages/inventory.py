#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses packages without an inventory: each needs its SBOM (SPDX 2.3) and its copyright file, which name what is linked.

usage: inventory.py PACKAGES

PACKAGES holds what `make deb` made.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True).stdout.strip()


def faults(name, version, folder):
    """What the folder /usr/share/doc/NAME lacks, one sentence each."""
    try:
        sbom = json.loads((folder / f"{name}.spdx.json").read_text(encoding="utf-8"))
        notice = (folder / "copyright").read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        yield str(error)
        return
    if sbom.get("spdxVersion") != "SPDX-2.3":
        yield f"the SBOM is of version {sbom.get('spdxVersion')}"
    parts = {part["SPDXID"]: part for part in sbom.get("packages", [])}
    described = [parts[relation["relatedSpdxElement"]] for relation in sbom.get("relationships", [])
                 if relation["relationshipType"] == "DESCRIBES"]
    if [(part["name"], part["versionInfo"]) for part in described] != [(name, version)]:
        yield f"the SBOM is not that of {name} {version}"
    linked = [parts[relation["relatedSpdxElement"]] for relation in sbom.get("relationships", [])
              if relation["relationshipType"] == "STATIC_LINK"]
    if not linked:
        yield "the SBOM names nothing that is linked"
    if not any(relation["relationshipType"] == "DYNAMIC_LINK" for relation in sbom.get("relationships", [])):
        yield "the SBOM names no library of Debian"
    for part in linked:
        if part["licenseConcluded"] in ("", "NOASSERTION", "NONE"):
            yield f"the license of {part['name']} is not known"
        # Code within a package, such as BoringSSL, has a paragraph of its package, with its name as the comment.
        if not re.search(rf"^(?:Files: linked/{re.escape(part['name'])}/|Comment: {re.escape(part['name'])}, )", notice, re.MULTILINE):
            yield f"the copyright file does not have {part['name']}"


def check(package):
    name, version = field(package, "Package"), field(package, "Version")
    with tempfile.TemporaryDirectory() as root:
        subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
        folder = Path(root, "usr/share/doc", name)
        found = list(faults(name, version, folder))
        # The check itself must refuse a package whose SBOM was left out.
        (folder / f"{name}.spdx.json").unlink(missing_ok=True)
        if not list(faults(name, version, folder)):
            found.append("a package without an SBOM was not refused")
    for fault in found:
        print(f"inventory: {package.name}: {fault}", file=sys.stderr)
    return not found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    packages = sorted(Path(sys.argv[1]).glob("*.deb"))
    if not packages:
        sys.exit(f"inventory: {sys.argv[1]} has no packages\nhint: make deb")
    if not all([check(package) for package in packages]):
        sys.exit(1)
    print("ok    each package has its SBOM and its licenses")


main()
