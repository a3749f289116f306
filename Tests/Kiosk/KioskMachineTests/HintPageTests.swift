// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Testing

@testable import KioskMachine
@testable import Signage

/// The hint of an outcome names the section of `docs/troubleshooting.md` that has the person's sentence.
@Suite struct HintPageTests {
    /// The section that a hint names at its end.
    private static func heading(_ outcome: SessionOutcome) -> String? {
        outcome.hint?.firstMatch(of: /see "([^"]+)" in docs\/troubleshooting\.md$/).map { String($0.output.1) }
    }

    /// The lines below a heading of the page.
    private static func lines(below heading: String) throws -> [Substring] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/troubleshooting.md")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        let begin = try #require(
            lines.firstIndex { $0 == "## \(heading)" || $0 == "### \(heading)" }, "no heading \(heading)")
        return Array(lines[(begin + 1)...].prefix { !$0.hasPrefix("#") })
    }

    @Test(arguments: SessionOutcome.allCases.filter { $0.sentenceOfLogin != nil })
    func theSectionHasTheSentence(_ outcome: SessionOutcome) throws {
        let heading = try #require(Self.heading(outcome))
        let sentence = PromptCatalogue.english.template(try #require(outcome.sentenceOfLogin))
        #expect(try Self.lines(below: heading).contains { $0.hasPrefix("| \(sentence) |") }, "\(heading): \(sentence)")
    }

    @Test(arguments: SessionOutcome.allCases.filter { $0.sentenceOfLogin == nil })
    func otherwiseTheSectionIsThere(_ outcome: SessionOutcome) throws {
        guard let heading = Self.heading(outcome) else { return }
        #expect(try !Self.lines(below: heading).isEmpty)
    }

    @Test func aHintIsShort() {
        for hint in SessionOutcome.allCases.compactMap(\.hint) { #expect(hint.count < 180, "\(hint)") }
    }
}
