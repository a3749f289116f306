// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts

@testable import KioskMachine

/// The table of screens in docs/kiosk.md: the stages of each, and the screens that follow.
struct ScreenTable {
    struct Row: Equatable {
        var stages: Set<String> = []
        var leadsTo: Set<String> = []
    }

    private(set) var rows: [String: Row] = [:]

    init() {}

    /// - Throws: an error when the page is missing.
    init(ofPage page: String) throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/\(page)")
        let text = try String(contentsOf: url, encoding: .utf8)
        let lines = text.split(separator: "\n").drop { !$0.hasPrefix("| Screen |") }.dropFirst(2)
        for line in lines.prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|").map(String.init)
            guard cells.count >= 3, let name = Self.names(in: cells[0]).first else { continue }
            rows[name] = Row(stages: Set(Self.names(in: cells[1])), leadsTo: Set(Self.names(in: cells[2])))
        }
    }

    /// The names between backquotes.
    private static func names(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    /// Adds one event of a machine.
    ///
    /// - Parameter view: the machine's view afterwards.
    mutating func note(from before: KioskMachine, to after: KioskMachine, showing view: KioskView) {
        // A held view is of another state.
        let stage = after.heldView == nil ? view.stage : after.viewOfState.stage
        rows[after.screenName, default: Row()].stages.insert(stage.rawValue)
        // Every screen may end when the kiosk stops.
        if before.screenName != after.screenName, after.screenName != "stopped" {
            rows[before.screenName, default: Row()].leadsTo.insert(after.screenName)
        }
    }

    mutating func add(_ other: ScreenTable) {
        for (name, row) in other.rows {
            rows[name, default: Row()].stages.formUnion(row.stages)
            rows[name, default: Row()].leadsTo.formUnion(row.leadsTo)
        }
    }

    /// The rows that another table lacks, in the page's form, without texts.
    func text(besides other: ScreenTable) -> String {
        func list(_ names: Set<String>) -> String { names.sorted().map { "`\($0)`" }.joined(separator: ", ") }
        return rows.filter { other.rows[$0.key] != $0.value }.sorted { $0.key < $1.key }
            .map { "| `\($0.key)` | \(list($0.value.stages)) | \(list($0.value.leadsTo)) |" }
            .joined(separator: "\n")
    }
}

extension KioskMachine {
    fileprivate var screenName: String {
        switch state {
        case .idle(let screen): "\(type(of: screen))"
        case .session(_, let screen): "\(type(of: screen))"
        case .over(let conclusion): "\(type(of: conclusion))"
        case .stopped: "stopped"
        }
    }
}
