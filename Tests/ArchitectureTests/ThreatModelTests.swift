// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// docs/threat-model.md names a test for each threat. A control without one is a wish.
@Suite("Threats and the tests that hold against them")
struct ThreatModelTests {
    struct Row {
        var number: String
        /// As `Suite.test`, or `Suite`.
        var tests: [String]
    }

    static func rows() throws -> [Row] {
        let page = try String(contentsOf: SourceTree.file("docs/threat-model.md"), encoding: .utf8)
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard cells.count == 7, cells[1].wholeMatch(of: /[TR]\d+/) != nil else { return nil }
            return Row(number: cells[1], tests: cells[4].matches(of: /`([^`]+)`/).map { String($0.output.1) })
        }
    }

    @Test func everyThreatHasARow() throws {
        let numbers = try Self.rows().map(\.number)
        #expect(numbers == (1...34).map { "T\($0)" } + (21...24).map { "R\($0)" })
    }

    @Test func everyRowNamesTestsThatAreThere() throws {
        let files = FileManager.default.enumerator(at: SourceTree.file("Tests"), includingPropertiesForKeys: nil)
        let sources = try (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
        for row in try Self.rows() {
            #expect(!row.tests.isEmpty, "\(row.number) has no test")
            for test in row.tests {
                let parts = test.split(separator: ".")
                let isThere = sources.contains { source in
                    ["struct", "class"].contains(where: { source.contains("\($0) \(parts[0])") })
                        && parts.dropFirst().allSatisfy { source.contains("func \($0)(") }
                }
                #expect(isThere, "\(row.number) names \(test), which is not there")
            }
        }
    }
}
