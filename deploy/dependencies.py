#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the Swift packages that are linked to those of dependencies.lock: name, version, commit, tree, address.

  dependencies.py pin            has SwiftPM take these, by Package.resolved, which it changes by itself
  dependencies.py check SCRATCH  compares what was taken, and its files in SCRATCH, with the lock
  dependencies.py lock SCRATCH   writes the lock from what was taken

The working folder is the checkout. A commit names its tree by SHA-1; the tree is compared with the files by git.
"""
import json
import os
import re
import subprocess
import sys

LOCK, RESOLVED = "deploy/dependencies.lock", "Package.resolved"
HEAD = """# The Swift packages that are linked, one a line: name, version, commit, tree, address. `make lock` writes it after
# `swift package update`: read what changed between the two commits before.
"""


def refuse(code, message, hint):
    sys.exit(print(f"dependencies: {message}\nhint: {hint}", file=sys.stderr) or code)


def locked():
    """Lines of the lock by name."""
    lines = {}
    try:
        with open(LOCK, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.startswith("#"):
                    continue
                if not re.fullmatch(r"\S+ [0-9]\S* [0-9a-f]{40} [0-9a-f]{40} https://\S+\n", line):
                    refuse(65, f"{LOCK}:{number} is not a name, a version, two hashes and an address", "make lock")
                lines[line.split()[0]] = line.split()
    except OSError as error:
        refuse(66, f"{LOCK} cannot be read: {error.strerror}", "run it in the checkout's top folder")
    return lines


def resolved():
    """The packages that SwiftPM took, by name."""
    try:
        with open(RESOLVED, encoding="utf-8") as file:
            return {pin["identity"]: pin for pin in json.load(file)["pins"]}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        refuse(65, f"{RESOLVED} cannot be read: {error}", f"remove {RESOLVED}, and make setup")


def git(folder, *words):
    answer = subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True, timeout=60)
    return answer.stdout.strip() if answer.returncode == 0 else refuse(
        66, f"{folder} is no checkout: {answer.stderr.strip()}", "make build")


def taken(scratch):
    """A line, as the lock has it, for each package; and whether files differ from the commit."""
    checkouts = os.path.join(scratch, "checkouts")
    for name, pin in sorted(resolved().items()):
        state, address = pin["state"], pin["location"]
        folder = os.path.join(checkouts, os.path.basename(address).removesuffix(".git"))
        commit, tree = git(folder, "rev-parse", "HEAD", "HEAD^{tree}").split()
        # Files that are ignored cannot be compiled without a changed manifest.
        changed = git(folder, "status", "--porcelain")
        yield [name, state.get("version", "none"), commit, tree, address], changed


def replace(path, text):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def pin():
    there, lines = resolved(), locked()
    # Other versions of a package stay: somebody tries an update.
    missing = lines.keys() - there.keys()
    if missing:
        for name in missing:
            _, version, commit, _, address = lines[name]
            there[name] = {"identity": name, "kind": "remoteSourceControl", "location": address,
                           "state": {"revision": commit, "version": version}}
        replace(RESOLVED, json.dumps({"pins": [there[name] for name in sorted(there)], "version": 2}, indent=2) + "\n")


def check(scratch):
    lines, faults = locked(), []
    for line, changed in taken(scratch):
        name, expected = line[0], lines.get(line[0])
        if expected is None:
            faults.append(f"{name} {line[1]} is not in the lock")
        elif line != expected:
            faults.append(f"{' '.join(line)}\n  is not what the lock has: {' '.join(expected[1:])}")
        if changed:
            faults.append(f"{name}: files are not those of its commit: {', '.join(changed.splitlines()[:5])}")
    if faults:
        refuse(76, "\n".join(faults),
               f"remove {RESOLVED} and {scratch}/checkouts, and make build; after an update that you have read: make lock")


def lock(scratch):
    lines = []
    for line, changed in taken(scratch):
        if changed:
            refuse(76, f"{line[0]}: files are not those of its commit: {changed}",
                   f"remove {scratch}/checkouts, and make build")
        lines.append(" ".join(line) + "\n")
    if not lines:
        refuse(66, f"{RESOLVED} is not there", "swift package update")
    replace(LOCK, HEAD + "".join(lines))


match sys.argv[1:]:
    case ["pin"]: pin()
    case ["check", scratch]: check(scratch)
    case ["lock", scratch]: lock(scratch)
    case _: sys.exit(__doc__)
