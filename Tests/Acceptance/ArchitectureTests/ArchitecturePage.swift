// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tables of groups and modules in `docs/architecture.md`.
struct ArchitecturePage {
    /// For each group, the groups that its modules may use, and single modules of other groups.
    var uses: [String: Set<String>] = [:]
    /// The modules of each group, in the page's order.
    var modules: [String: [String]] = [:]
    /// For each module, the parts of Foundation that it may import.
    var foundation: [String: Set<String>] = [:]

    private static let parts = ["FoundationEssentials", "Foundation", "FoundationNetworking"]

    init() throws {
        let text = try SourceTree.text("docs/architecture.md")
        var group = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") { group = String(line.drop { $0 == "#" || $0 == " " }) }
            let cells = line.split(separator: "|").map { String($0).trimmingCharacters(in: .whitespaces) }
            guard line.hasPrefix("| `"), let name = Self.names(cells[0]).first else { continue }
            if let index = Self.parts.firstIndex(of: name) {
                // Each part includes the previous ones.
                for module in Self.names(cells[1]) { foundation[module] = Set(Self.parts[...index]) }
            } else if group == "Groups", cells.count == 3 {
                // `MPinCrypto` of `SDK` means that module only.
                let whole = cells[2].replacing(#/ of `[^`]+`/#, with: "")
                uses[name] = Set(Self.names(whole))
            } else if cells.count == 2, group != "Rules" {
                modules[group, default: []].append(name)
            }
        }
    }

    private static func names(_ text: String) -> [String] {
        text.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }
}
