// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tables of rooms and programs in `docs/architecture.md`: what each is for, and what it must not know.
struct HousePage {
    struct Row: Sendable {
        var name: String
        /// Other rooms; C libraries and packages are not named.
        var standsOn: Set<String>
        var foundation: Foundation
        /// Why it stands on nothing else.
        var reason: String
    }

    /// How much of Foundation a room may import.
    enum Foundation: String {
        case none = "no"
        case essentials
        case whole = "yes"
        case networking = "and networking"

        var modules: Set<String> {
            switch self {
            case .none: []
            case .essentials: ["FoundationEssentials"]
            case .whole: ["FoundationEssentials", "Foundation"]
            case .networking: ["FoundationEssentials", "Foundation", "FoundationNetworking"]
            }
        }
    }

    var rows: [Row]

    init() throws {
        let text = try String(contentsOf: SourceTree.file("docs/architecture.md"), encoding: .utf8)
        rows = text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, let foundation = Foundation(rawValue: cells[3]) else { return nil }
            let names = cells[2].split(separator: ",").map { HousePage.plain(String($0)) }
            return Row(
                name: HousePage.plain(cells[0]), standsOn: Set(names).subtracting(["nothing"]), foundation: foundation,
                reason: cells[4])
        }
    }

    private static func plain(_ name: String) -> String {
        name.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
    }
}
