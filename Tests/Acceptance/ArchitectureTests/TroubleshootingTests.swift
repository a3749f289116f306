// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares `docs/troubleshooting.md` with the screens, the doctor and the log.
@Suite("What a person finds when something does not work")
struct TroubleshootingTests {
    /// The first cells of the tables below a heading of level 2.
    private static func firstCells(below heading: String) throws -> [String] {
        let page = try SourceTree.text("docs/troubleshooting.md")
        let section = try #require(page.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
        return try #require(section.components(separatedBy: "\n## ").first).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Screen |") }
            .compactMap { $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces) }
    }

    private static func quoted(below heading: String) throws -> Set<String> {
        Set(try firstCells(below: heading).flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } })
    }

    /// The kiosk's English sentences, by key.
    private static func sentences() throws -> [String: String] {
        let found = try SourceTree.text("Sources/Kiosk/Signage/Words/en.yaml").matches(of: /(?m)^(\w+): "(.*)"$/)
        return Dictionary(uniqueKeysWithValues: found.map { (String($0.output.1), String($0.output.2)) })
    }

    /// The names after `logger.warning("` or `(.warning, "`, and louder, up to the first gap, in what runs as the kiosk.
    private static func loudLines() throws -> Set<String> {
        var lines: Set<String> = []
        for folder in ["Kiosk", "SDK", "Common/MetricsService"] {
            let place = SourceTree.file("Sources/\(folder)").path()
            for path in try FileManager.default.subpathsOfDirectory(atPath: place) where path.hasSuffix(".swift") {
                let source = try SourceTree.text("Sources/\(folder)/\(path)")
                for match in source.matches(of: /(?:logger\??|\()\.(?:warning|error|critical)(?:\(|,)\s*"([^"\\:]+)/) {
                    lines.insert(match.output.1.trimmingCharacters(in: .whitespaces))
                }
            }
        }
        return lines
    }

    @Test func eachRowQuotesASentenceOfTheScreen() throws {
        let sentences = Set(try Self.sentences().values)
        let rows = try Self.firstCells(below: "By the sentence on the screen")
        #expect(rows.count > 40, "rows are not found any more")
        for row in rows { #expect(sentences.contains(row), "no screen has the sentence: \(row)") }
        #expect(Set(rows).count == rows.count)
    }

    @Test func eachSentenceThatSendsAPersonToTheOperatorHasItsRow() throws {
        let rows = Set(try Self.firstCells(below: "By the sentence on the screen"))
        for (key, sentence) in try Self.sentences() where sentence.contains("tell the operator.") {
            // The next step after another sentence, which has the row.
            guard !key.hasPrefix("next") else { continue }
            #expect(rows.contains(sentence), "\(key) has no row")
        }
    }

    @Test func eachOutcomeAndEachHintHasItsRow() throws {
        let table = try SourceTree.text("Sources/Kiosk/KioskMachine/Session/SessionOutcome.swift")
        let ends = table.matches(of: /\s\.(\w+)\)\n/).map { String($0.output.1) }
        let sentences = try Self.sentences()
        let hints = sentences.keys.filter { $0.hasPrefix("hint") }
        #expect(ends.count > 15 && hints.count > 5, "outcomes or hints are not found any more")
        let rows = Set(try Self.firstCells(below: "By the sentence on the screen"))
        for key in Set(ends + hints) {
            #expect(rows.contains(try #require(sentences[key])), "\(key) has no row")
        }
    }

    /// The endings of the keys of sentences about a failure, and keys of further ones.
    private static let failureEndings = [
        "Failed", "FailedDeleted", "Refused", "Unreadable", "TooLong", "TooOld", "Newer", "NeedRoom", "NeedsRoom",
        "NeedsLargerScreen", "Impossible", "Expired", "OutcomeUnknown", "ChangeUnknown", "Elsewhere", "OfSomebodyElse",
        "OfAnotherUser", "IsVoid", "MakesNoCode", "NeedsPage", "TooWeak", "identitiesNone", "identityExists",
        "notVerifiedYet", "pinKeyByKey", "profileOnly", "stopped",
    ]
    /// Their sentences say all that there is to do.
    private static let saysAll: Set<String> = ["oneTimePasswordExpired", "registrationCodeExpired", "taskExpired"]

    @Test func eachSentenceAboutAFailureHasItsRow() throws {
        let rows = Set(try Self.firstCells(below: "By the sentence on the screen"))
        let sentences = try Self.sentences()
        #expect(Self.saysAll.isSubset(of: sentences.keys))
        for ending in Self.failureEndings {
            // The guided first start is at a terminal, with an operator.
            let keys = sentences.keys.filter { $0.hasSuffix(ending) && !$0.hasPrefix("guide") }
            #expect(!keys.isEmpty, "no key ends with \(ending) any more")
            for key in keys where !Self.saysAll.contains(key) {
                #expect(rows.contains(try #require(sentences[key])), "\(key) has no row")
            }
        }
    }

    /// The tables of refusals: `case .otherKiosk: .profileOtherKiosk`.
    @Test(arguments: ["Provisioning/ProfileOffer", "PersonalCard/CardHolder"])
    func eachRefusalOfAProfileOrACardHasItsRow(file: String) throws {
        let table = try SourceTree.text("Sources/Kiosk/KioskMachine/\(file).swift")
        let keys = table.matches(of: /case \.\w+: \.((?:profile|card)\w+)\n/).map { String($0.output.1) }
        #expect(keys.count > 6, "refusals are not found any more")
        let rows = Set(try Self.firstCells(below: "By the sentence on the screen"))
        let sentences = try Self.sentences()
        for key in keys { #expect(rows.contains(try #require(sentences[key])), "\(key) has no row") }
    }

    @Test func eachCheckOfTheDoctorHasItsRow() throws {
        let table = try SourceTree.text("Sources/Kiosk/login-kiosk/Doctor/Doctor.swift")
        let checks = Set(table.matches(of: /\s\("([a-z]+)", \{/).map { String($0.output.1) })
        #expect(checks.count > 8, "checks are not found any more")
        #expect(try Self.quoted(below: "By the doctor's check") == checks)
    }

    @Test func eachLoudLineOfTheLogHasItsRow() throws {
        let lines = try Self.loudLines()
        #expect(lines.count > 30, "lines are not found any more")
        let rows = try Self.quoted(below: "By the line in the log")
        for line in lines {
            #expect(rows.contains { $0 == line || $0.hasPrefix(line + ":") }, "the log's line has no row: \(line)")
        }
        for row in rows {
            #expect(lines.contains { row == $0 || row.hasPrefix($0 + ":") }, "no line of the log: \(row)")
        }
    }
}
