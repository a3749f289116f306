#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what is linked into built programs: their packages' SBOM, copyright file and notices.

  inventory.py RELEASE OUT VERSION ARCH PACKAGE=PROGRAM[,PROGRAM...] ...

RELEASE is the folder where SwiftPM put the programs; its lists of what it linked and its checkouts beside it are
read. OUT gets PACKAGE.spdx.json (SPDX 2.3) for each Debian package, and one `copyright` (machine-readable, DEP 5)
and `NOTICES` for all. Shared libraries are named with the Debian package that has them here. Linked code
whose license is not known here is an error. SOURCE_DATE_EPOCH dates the documents.
"""
import datetime
import glob
import json
import os
import re
import subprocess
import sys
import uuid

# Code of others within a package, by the module that holds it: name, license, copyright, where it comes from.
WITHIN = {
    "CCryptoBoringSSL": ("BoringSSL", "Apache-2.0 and Expat", "The BoringSSL Authors; the fiat-crypto authors",
                         "https://boringssl.googlesource.com/boringssl"),
    "CXKCP": ("XKCP", "CC0-1.0", "none: waived by its implementers, Gilles Van Assche and Ronny Van Keer",
              "https://github.com/XKCP/XKCP"),
    "CNIOLLHTTP": ("llhttp", "Expat", "2018 Fedor Indutny", "https://github.com/nodejs/llhttp"),
    "CYaml": ("LibYAML", "Expat", "2017-2020 Ingy döt Net; 2006-2016 Kirill Simonov",
              "https://github.com/yaml/libyaml"),
}
WITHIN["CNIOBoringSSL"] = WITHIN["CCryptoBoringSSL"]
# The code that --static-swift-stdlib links, besides the packages.
SWIFT_LICENSE = "Apache-2.0 with Swift-exception"
SWIFT_AUTHORS = "Apple Inc. and the Swift project authors"
RUNTIME = [
    ("swift-runtime", SWIFT_LICENSE, f"2014-2026 {SWIFT_AUTHORS}", "https://github.com/swiftlang/swift"),
    ("swift-corelibs-libdispatch", SWIFT_LICENSE, f"2008-2026 {SWIFT_AUTHORS}",
     "https://github.com/swiftlang/swift-corelibs-libdispatch"),
    ("swift-foundation", SWIFT_LICENSE, f"2014-2026 {SWIFT_AUTHORS}", "https://github.com/swiftlang/swift-foundation"),
    ("swift-corelibs-foundation", SWIFT_LICENSE, f"2014-2026 {SWIFT_AUTHORS}",
     "https://github.com/swiftlang/swift-corelibs-foundation"),
    ("swift-foundation-icu", "Unicode-3.0", "1991-2025 Unicode, Inc. and others",
     "https://github.com/swiftlang/swift-foundation-icu"),
]
SPDX = {"Apache-2.0": "Apache-2.0", SWIFT_LICENSE: "Apache-2.0 WITH Swift-exception", "Expat": "MIT",
        "CC0-1.0": "CC0-1.0", "Unicode-3.0": "Unicode-3.0", "Apache-2.0 and Expat": "Apache-2.0 AND MIT"}
TEXTS = {
    "Apache-2.0": """
Licensed under the Apache License, Version 2.0; you may not use these files except in compliance with the
License. Unless required by applicable law or agreed to in writing, software distributed under the License is
distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.

On Debian systems, the whole text is in /usr/share/common-licenses/Apache-2.0.""",
    "Apache-2.0 with Swift-exception": """
Licensed under the Apache License, Version 2.0, whose text is on Debian systems in
/usr/share/common-licenses/Apache-2.0, with the Runtime Library Exception:

As an exception, if you use this Software to compile your source code and portions of this Software are
embedded into the binary product as a result, you may redistribute such product without providing attribution
as would otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.""",
    "Expat": """
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without
limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the
Software, and to permit persons to whom the Software is furnished to do so, subject to the following
conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions
of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED
TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL
THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
DEALINGS IN THE SOFTWARE.""",
    "CC0-1.0": """
To the extent possible under law, the implementers have waived all copyright and related or neighboring rights
to these files.

On Debian systems, the whole text is in /usr/share/common-licenses/CC0-1.0.""",
    "Unicode-3.0": """
Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated
documentation (the "Data Files") or software and any associated documentation (the "Software") to deal in the
Data Files or Software without restriction, including without limitation the rights to use, copy, modify,
merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom
the Data Files or Software are furnished to do so, provided that either (a) this copyright and permission
notice appear with all copies of the Data Files or Software, or (b) this copyright and permission notice
appear in associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING
BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF
THIRD PARTY RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR
ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF
USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR
IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in advertising or
otherwise to promote the sale, use or other dealings in these Data Files or Software without prior written
authorization of the copyright holder.""",
}


def fail(message, hint):
    sys.exit(f"inventory: {message}\nhint: {hint}")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


class Build:
    """The programs that SwiftPM built, and their sources."""

    def __init__(self, release):
        self.release = os.path.realpath(release)
        self.scratch = next((folder for folder in self.parents(self.release)
                             if os.path.exists(os.path.join(folder, "workspace-state.json"))), None)
        if self.scratch is None:
            fail(f"{release} is no build folder of SwiftPM: no workspace-state.json above it",
                 "name the folder where swift build put the programs")
        with open(os.path.join(self.scratch, "workspace-state.json"), encoding="utf-8") as file:
            state = json.load(file)["object"]["dependencies"]
        self.packages = {package["subpath"]: package for package in state}
        with open("deploy/dependencies.lock", encoding="utf-8") as file:
            commits = {line.split()[0]: line.split()[2] for line in file if not line.startswith("#")}
        for package in state:
            name, checkout = package["packageRef"]["identity"], package["state"].get("checkoutState", {})
            if checkout.get("revision") != commits.get(name, ""):
                fail(f"{name} is built of another commit than deploy/dependencies.lock has",
                     "make test says which; make setup, then make release")
        self.places = {}
        # A module is in a folder of its name: in Sources, or beside it.
        checkouts = os.path.join(self.scratch, "checkouts")
        for pattern in (os.path.join("Sources", "**", ""), os.path.join("*", "")):
            for folder in sorted(glob.glob(os.path.join(checkouts, "*", pattern), recursive=True)):
                package, *inner = os.path.relpath(folder, checkouts).split(os.sep)
                self.places.setdefault(inner[-1], (package, folder))
        # Of Swift's modules the compiler's arguments say it, whatever the folder's name.
        with open(os.path.join(self.release, "description.json"), encoding="utf-8") as file:
            for module, arguments in json.load(file)["swiftTargetScanArgs"].items():
                sources = [word for word in arguments if word.endswith(".swift") and "/checkouts/" in word]
                if sources:
                    package, *inner = os.path.commonpath([os.path.dirname(word) for word in sources]).split(
                        "/checkouts/")[1].split("/")
                    self.places[module] = (package, os.path.join(checkouts, package, *inner, ""))

    @staticmethod
    def parents(folder):
        while len(folder) > 1:
            folder = os.path.dirname(folder)
            yield folder

    def modules(self, program):
        """The modules that were linked into a program, with their package: None for this project's own."""
        objects = os.path.join(self.release, program + ".product", "Objects.LinkFileList")
        if not os.path.exists(objects):
            fail(f"{objects} is missing, so what is in {program} is not known", "make release")
        with open(objects, encoding="utf-8") as file:
            names = sorted(set(re.findall(r"/([^/\s]+)\.build/", file.read())))
        own = {os.path.basename(folder).replace("-", "_") for folder in glob.glob("Sources/*/*")}
        for name in names:
            if name in own:
                continue
            if name not in self.places:
                fail(f"no package is known that has the module {name}, which is in {program}", "correct Build.places")
            yield name, self.places[name][0]

    def license(self, package):
        folder = os.path.join(self.scratch, "checkouts", package)
        text = ""
        for path in sorted(glob.glob(os.path.join(folder, "LICENSE*"))):
            with open(path, encoding="utf-8") as file:
                text += file.read()
        if "Runtime Library Exception" in text:
            return SWIFT_LICENSE
        if "Apache License" in text and "Version 2.0" in text:
            return "Apache-2.0"
        if "Permission is hereby granted, free of charge" in text:
            return "Expat"
        fail(f"{package} has a license that is not known here", "read it, and say it in inventory.py")

    def holders(self, package, modules):
        """The owners of the copyright, with the years, by the heads of the license, the notice and the linked sources."""
        years = {}
        folder = os.path.join(self.scratch, "checkouts", package)
        paths = glob.glob(os.path.join(folder, "LICENSE*")) + glob.glob(os.path.join(folder, "NOTICE.txt"))
        for module in modules:
            paths += [path for path in glob.glob(os.path.join(self.places[module][1], "**", "*"), recursive=True)
                      if path.endswith((".swift", ".c", ".h")) and module not in WITHIN]
        for path in sorted(paths):
            with open(path, encoding="utf-8", errors="replace") as file:
                head = file.read(1500)
            for span, holder in re.findall(r"Copyright\s+(?:\([cC]\)|©)?\s*((?:\d{4}[-, ]*)+)\s+([^\n]*)", head):
                holder = re.split(r"\s*(?:All rights reserved|\*/|\. *$)", holder.strip(" .*/"))[0].strip(" .")
                found = [int(year) for year in re.findall(r"\d{4}", span)]
                if holder and not holder.startswith("[") and "name of copyright owner" not in holder:
                    years.setdefault(holder, []).extend(found)
        spans = [(min(found), max(found), holder) for holder, found in years.items()]
        lines = [f"{first}-{last} {holder}" if first != last else f"{first} {holder}"
                 for first, last, holder in sorted(spans)]
        return lines or fail(f"the copyright of {package} is not known", "read its license, and correct Build.holders")

    def notices(self, package):
        for path in sorted(glob.glob(os.path.join(self.scratch, "checkouts", package, "NOTICE*"))):
            with open(path, encoding="utf-8") as file:
                yield file.read().strip()

    def compiler(self):
        """The version of the compiler, whose runtime libraries are linked: its modules say it, one like the other."""
        found = set()
        for module in glob.glob(os.path.join(self.release, "Modules", "*.swiftmodule")):
            with open(module, "rb") as file:
                found.update(re.findall(rb"Swift version (\d+(?:\.\d+)+)", file.read()))
        if len(found) != 1:
            fail(f"{self.release}/Modules does not say which compiler made the programs", "make release")
        return found.pop().decode()


def libraries(path, arch):
    """The shared libraries that a program names, with Debian package and version."""
    for name in sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", path))):
        try:
            owners = run("dpkg-query", "--search", f"*/{name}").splitlines()
        except subprocess.CalledProcessError:
            fail(f"no package has {name}, which {path} needs",
                 "install it: deploy/setup.sh; for another Debian, name it in deploy/packages/debian13.sh")
        owners = sorted({line.split(": ")[0] for line in owners if not line.startswith("diversion")})
        package = next((owner for owner in owners if owner.endswith(f":{arch}")), owners[0]).split(":")[0]
        shown = run("dpkg-query", "--show", "--showformat=${Version}\n", f"{package}:{arch}")
        yield name, package, shown.split()[0]


def spdx_id(*parts):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(parts))


def document(build, deb, programs, version, arch):
    """The SBOM of one Debian package."""
    packages, relations, root = [], [], spdx_id("deb", deb)

    def add(identity, name, number, license, copyright, place, purl, relation):
        if identity not in {package["SPDXID"] for package in packages}:
            packages.append({"SPDXID": identity, "name": name, "versionInfo": number, "downloadLocation": place,
                             "filesAnalyzed": False, "licenseConcluded": license, "licenseDeclared": license,
                             "copyrightText": copyright,
                             "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                               "referenceLocator": purl}]})
            relations.append({"spdxElementId": root if relation != "DESCRIBES" else "SPDXRef-DOCUMENT",
                              "relationshipType": relation, "relatedSpdxElement": identity})

    add(root, deb, version, "Apache-2.0", "NOASSERTION", "NOASSERTION",
        f"pkg:deb/login-kiosk/{deb}@{version.replace('+', '%2B')}?arch={arch}", "DESCRIBES")
    linked = {}
    for program in programs:
        for module, package in build.modules(program):
            linked.setdefault(package, set()).add(module)
    for package, modules in sorted(linked.items()):
        state = build.packages[package]
        source = state["packageRef"]["location"].removesuffix(".git")
        checkout = state["state"]["checkoutState"]
        number = checkout.get("version") or checkout["revision"]
        add(spdx_id("swift", package), package, number, SPDX[build.license(package)],
            "\n".join(build.holders(package, sorted(modules))), f"git+{source}@{checkout['revision']}",
            f"pkg:swift/{source.removeprefix('https://')}@{number}", "STATIC_LINK")
        for module in sorted(modules & set(WITHIN)):
            name, license, copyright, home = WITHIN[module]
            add(spdx_id("within", package, name), name, f"as in {package} {number}", SPDX[license], copyright, home,
                f"pkg:generic/{name.lower()}", "STATIC_LINK")
    compiler = build.compiler()
    for name, license, copyright, home in RUNTIME:
        add(spdx_id("runtime", name), name, compiler, SPDX[license], copyright, home,
            f"pkg:swift/{home.removeprefix('https://')}@{compiler}", "STATIC_LINK")
    for program in programs:
        for name, package, number in libraries(os.path.join(build.release, program), arch):
            add(spdx_id("debian", package), package, number, "NOASSERTION", "NOASSERTION", "NOASSERTION",
                f"pkg:deb/debian/{package}@{number.replace('+', '%2B')}?arch={arch}", "DYNAMIC_LINK")
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    content = {"packages": packages, "relationships": relations}
    identity = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([deb, version, arch, content], sort_keys=True))
    return linked, {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{deb}-{version}-{arch}",
        "documentNamespace": f"urn:uuid:{identity}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: login-kiosk-inventory"]},
        **content}


def field(name, lines):
    """A field of a control file with several lines."""
    return f"{name}: " + "\n ".join(line if line else "." for line in lines)


def copyright_file(build, linked):
    year = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc).year
    parts = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: login-kiosk",
             f"Files: *\nCopyright: {year} the authors of login-kiosk\nLicense: Apache-2.0"]
    used = {"Apache-2.0"}

    def add(path, copyright, license, comment):
        parts.append(f"Files: {path}\n{field('Copyright', copyright)}\nLicense: {license}\nComment: {comment}")
        used.update(license.split(" and "))

    for package, (modules, debs) in sorted(linked.items()):
        state = build.packages[package]
        number = state["state"]["checkoutState"].get("version") or state["state"]["checkoutState"]["revision"]
        where = f"linked into the programs of {', '.join(sorted(debs))}"
        add(f"linked/{package}/*", build.holders(package, sorted(modules)), build.license(package),
            f"{number}, {state['packageRef']['location']}, {where}")
        for module in sorted(modules & set(WITHIN)):
            name, license, copyright, home = WITHIN[module]
            add(f"linked/{package}/Sources/{module}/*", copyright.split("; "), license, f"{name}, {home}, {where}")
    for name, license, copyright, home in RUNTIME:
        add(f"linked/{name}/*", [copyright], license, f"{home}, linked into every program")
    for license in sorted(used):
        parts.append(field("License", [license] + TEXTS[license].strip().split("\n")))
    return "\n\n".join(parts) + "\n"


def main():
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    release, out, version, arch = sys.argv[1:5]
    build, everything = Build(release), {}
    for word in sys.argv[5:]:
        deb, _, programs = word.partition("=")
        linked, sbom = document(build, deb, programs.split(","), version, arch)
        for package, modules in linked.items():
            known = everything.setdefault(package, (set(), set()))
            known[0].update(modules)
            known[1].add(deb)
        with open(os.path.join(out, deb + ".spdx.json"), "w", encoding="utf-8") as file:
            json.dump(sbom, file, indent=2, sort_keys=True, ensure_ascii=False)
            file.write("\n")
    with open(os.path.join(out, "copyright"), "w", encoding="utf-8") as file:
        file.write(copyright_file(build, everything))
    with open(os.path.join(out, "NOTICES"), "w", encoding="utf-8") as file:
        for package in sorted(everything):
            for notice in build.notices(package):
                file.write(f"==== {package}\n\n{notice}\n\n")


main()
