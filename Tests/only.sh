#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a package of some modules, their tests and what they use: seconds to build instead of the minutes that the HTTP
# server and the database take. The working folder is the checkout.
#
#   only.sh MODULE,... FOLDER           e.g. only.sh MPinCrypto,KioskMachine .build-only/package
#
# FOLDER gets links to the checkout's files, and the manifest with lines that leave out other modules. Each library is a
# product, for Fuzz/Package.swift.
set -euo pipefail
[ $# = 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
top=$PWD
modules=${1//,/ }
for module in $modules; do
    grep -qE "/$module(Tests)?\"" Package.swift || {
        echo "only: there is no module '$module'" >&2
        echo "hint: docs/architecture.md lists the modules" >&2
        exit 64
    }
done
mkdir -p "$2"
cd "$2"
# Links stay while another run may build with them.
for entry in "$top"/[!.]* "$top"/.ci "$top"/.github; do
    case ${entry##*/} in Package.*) ;; *) ln -sfn "$entry" . ;; esac
done
# SwiftPM writes it.
[ ! -e "$top/Package.resolved" ] || cp "$top/Package.resolved" .
{
    cat "$top/Package.swift"
    printf '\nvar kept = Set("%s".split(separator: " ").flatMap { [String($0), "\\($0)Tests"] })\n' "$modules"
    cat <<'SWIFT'
var before = 0
while kept.count > before {
    before = kept.count
    for target in package.targets where kept.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
    }
}
package.targets.removeAll { !kept.contains($0.name) }
package.products = package.targets.filter { $0.type == .regular }.map { .library(name: $0.name, targets: [$0.name]) }
    + package.targets.filter { $0.type == .executable }.map { .executable(name: $0.name, targets: [$0.name]) }
SWIFT
} > .Package.swift
mv .Package.swift Package.swift
