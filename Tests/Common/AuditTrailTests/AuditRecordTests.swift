// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import AuditTrail

/// The line of an entry: writing, reading, and output for other programs.
@Suite struct AuditRecordTests {
    private static func text(_ chance: inout SplitMix64) -> String {
        let pieces = [
            "a", "\"", "\\", "\n", "\u{7F}", "\u{202E}", "é", "e\u{301}", "日", "👩🏽‍🚀", ",", "}", "\\u0041", "=", " ",
        ]
        return (0..<Int.random(in: 0...40, using: &chance)).map { _ in pieces.randomElement(using: &chance) ?? "" }
            .joined()
    }

    private static func content(_ chance: inout SplitMix64) -> AuditRecord.Content {
        func optional(_ text: String) -> String? { Bool.random(using: &chance) ? text : nil }
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: return .follows(ChainHash.digest(Array(text(&chance).utf8)))
        case 1: return .cut(Int.random(in: 0...70_000, using: &chance), ChainHash.digest(Array(text(&chance).utf8)))
        case 2: return .missed(Int.random(in: 0...Int(UInt32.max), using: &chance))
        default:
            let texts = (0..<5).map { _ in text(&chance) }
            return .entry(
                AuditEntry(
                    event: texts[0], outcome: texts[1], service: optional(texts[2]), who: optional(texts[3]),
                    detail: optional(texts[4])))
        }
    }

    @Test func whatIsWrittenIsReadAgainAndIsJSON() throws {
        var chance = SplitMix64(seed: 1)
        var head = ChainHash.start
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &chance)
            let record = AuditRecord(
                number: UInt64.random(in: 1...1 << 48, using: &chance), time: AuditRecord.time(seconds),
                Self.content(&chance))
            let before = head
            let line = record.line(after: &head)
            #expect(line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")))
            let read = try #require(AuditRecord.parse(line.dropLast()))
            #expect(read.record == record && read.chain == head && before.next(record.body) == head)
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line)) }
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(record.json.utf8)) }
            #expect(!record.tableRow.contains("\n") && !record.summary.contains("\n"))
        }
    }

    /// Random bytes, and lines with changed bytes. The parser ends, and accepts only what the writer would write.
    @Test func theParserTakesNothingElse() throws {
        var chance = SplitMix64(seed: 2)
        var taken = 0
        for round in 0..<20_000 {
            var head = ChainHash.start
            var line = AuditRecord(number: 7, time: AuditRecord.time(0), Self.content(&chance)).line(after: &head)
            line.removeLast()
            for _ in 0..<Int.random(in: 1...4, using: &chance) where !line.isEmpty {
                let place = Int.random(in: line.indices, using: &chance)
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: line[place] = UInt8.random(in: 0...255, using: &chance)
                case 1: line.removeSubrange(place..<min(place + 9, line.count))
                case 2: line.insert(contentsOf: line[..<min(place, 40)], at: place)
                default: line[place] = Array("\"\\u{},:09af".utf8).randomElement(using: &chance) ?? 0
                }
            }
            guard let (record, chain) = AuditRecord.parse(line[...]) else { continue }
            taken += 1
            let again = record.body + Array(",\"chain\":\"\(chain)\"}".utf8)
            #expect(again == line, "round \(round)")
        }
        #expect(taken > 100, "the changes leave no line that could be read")
    }

    @Test(arguments: [
        #"{"n":1,"time":"2026-11-21T22:15:31Z","event":"a","outcome":"b"}"#,
        #"{"n":01,"time":"2026-11-21T22:15:31Z","event":"a","outcome":"b","chain":"CHAIN"}"#,
        #"{"n":0,"time":"2026-11-21T22:15:31Z","event":"a","outcome":"b","chain":"CHAIN"}"#,
        #"{"n":18446744073709551615,"time":"2026-11-21T22:15:31Z","event":"a","outcome":"b","chain":"CHAIN"}"#,
        #"{"n":99999999999999999999,"time":"2026-11-21T22:15:31Z","event":"a","outcome":"b","chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21 22:15:31Z","event":"a","outcome":"b","chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","outcome":"b","event":"a","chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","event":"\u0061","outcome":"b","chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","event":"\ud800","outcome":"b","chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","event":"\u00","outcome":"b","chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","event":"a","outcome":"b","pin":"1","chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","event":"a","outcome":"b","count":1,"chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","event":"a","outcome":"b","count":0,"chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","event":"a","count":2,"outcome":"b","chain":"CHAIN"}"#,
        #"{"n":1,"time":"2026-11-21T22:15:31Z","cut":-1,"digest":"CHAIN","chain":"CHAIN"}"#,
        #"{"n":1, "time":"2026-11-21T22:15:31Z","event":"a","outcome":"b","chain":"CHAIN"}"#,
        "",
    ]) func refuses(_ text: String) {
        let line = text.replacing("CHAIN", with: String(repeating: "a", count: 64))
        #expect(AuditRecord.parse(Array(line.utf8)[...]) == nil)
    }

    @Test func aHashIsSixtyFourDigits() {
        #expect(ChainHash(String(repeating: "0a", count: 32))?.description == String(repeating: "0a", count: 32))
        for text in [
            "", "0", String(repeating: "0A", count: 32), String(repeating: "0", count: 66),
            String(repeating: "é", count: 32),
        ] {
            #expect(ChainHash(text) == nil)
        }
        // The example of FIPS 180-4.
        #expect(
            ChainHash.digest(Array("abc".utf8)).description
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func noCellIsAFormula() {
        let entry = AuditEntry(
            event: "login", outcome: "loggedIn", service: "=cmd|' /C calc'!A0", who: "a,\"b\"\n@x", detail: nil)
        let record = AuditRecord(number: 3, time: "2026-11-21T22:15:31Z", .entry(entry))
        #expect(
            record.tableRow
                == #"3,2026-11-21T22:15:31Z,"login","'=cmd|' /C calc'!A0","a,""b""\u000a@x","loggedIn",,"1""#)
        #expect(record.tableRow.split(separator: ",", omittingEmptySubsequences: false).count >= 7)
        #expect(AuditRecord.tableHead.split(separator: ",").count == 8)
    }
}
