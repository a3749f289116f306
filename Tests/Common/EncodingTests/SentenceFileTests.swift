// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import Encoding

@Suite("The files of the words")
struct SentenceFileTests {
    static func sentences(_ text: String) throws(SentenceFileError) -> [String: String] {
        try SentenceFile(Array(text.utf8)).sentences
    }

    @Test func whatCounts() throws {
        let text = "# a comment\n\none: \"1\"\ntwo2: \"say \\\"two\\\" and \\\\ # yes: {user}\"\nempty: \"\""
        #expect(try Self.sentences(text) == ["one": "1", "two2": "say \"two\" and \\ # yes: {user}", "empty": ""])
        #expect(try Self.sentences("") == [:])
    }

    @Test(
        arguments: [
            ("a: \"1\"\n b: \"2\"", .noName, 2), ("\"a\": \"1\"", .noName, 1), ("é: \"1\"", .noName, 1),
            ("- a", .noName, 1), (String(repeating: "a", count: 65) + ": \"1\"", .noName, 1),
            ("a:\"1\"", .noText, 1), ("a:  \"1\"", .noText, 1), ("a: 1", .noText, 1), ("a: '1'", .noText, 1),
            ("a", .noText, 1), ("a: |", .noText, 1), ("a.b: \"1\"", .noText, 1),
            ("a: \"1\" ", .moreThanText, 1), ("a: \"1\" # one", .moreThanText, 1), ("a: \"1\"\r\n", .moreThanText, 1),
            ("a: \"\\n\"", .unknownEscape, 1), ("a: \"\\", .unknownEscape, 1),
            ("a: \"\t\"", .controlCharacter, 1), ("a: \"\u{85}\"", .controlCharacter, 1),
            ("a: \"1", .textWithoutEnd, 1), ("a: \"1\\\"", .textWithoutEnd, 1),
            ("a: \"1\"\n\n# two\na: \"1\"", .duplicate, 4),
        ] as [(String, SentenceFileError.Reason, Int)])
    func mistakes(text: String, reason: SentenceFileError.Reason, line: Int) {
        #expect(throws: SentenceFileError(reason, line: line)) { try Self.sentences(text) }
    }

    @Test func mistakesOfTheWhole() {
        #expect(throws: SentenceFileError(.notUTF8, line: 0)) { try SentenceFile([0x61, 0xFF]) }
        let large = [UInt8](repeating: 0x23, count: SentenceFile.maximumLength + 1)
        #expect(throws: SentenceFileError(.tooLong, line: 0)) { try SentenceFile(large) }
    }

    @Test func aCatalogueHasItsKeysAndNoOther() throws {
        enum Key: String, CaseIterable { case first, second }
        func sentences(_ text: String) throws(SentenceFileError) -> Sentences<Key> {
            try Sentences("en", Array(text.utf8))
        }
        let both = "first: \"1\"\nsecond: \"{user} and {nobody}.\"\n"
        #expect(try sentences(both)[.second] == "{user} and {nobody}.")
        #expect(throws: SentenceFileError(.missing("second"), line: 0)) { try sentences("first: \"1\"") }
        #expect(throws: SentenceFileError(.unknown("third"), line: 0)) { try sentences(both + "third: \"3\"") }
    }

    /// Gaps in inserted text are not filled, and inserted text is not escaped.
    @Test func gapsAreFilledOnce() {
        let values = ["user": "{time} <b>", "time": "noon"]
        let text = "< {user} {nobody}{time} } {".filled(escaping: { $0.replacing("<", with: "&lt;") }) { values[$0] }
        #expect(text == "&lt; {time} <b> noon } {")
    }

    /// Any file is read or refused, and texts that were read are texts of the file.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func anyFileIsReadOrRefused(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let pieces = [
            "a", "b7", ": ", "\"", "\\", "\\\"", "#", "\n", " ", "é", "\u{301}", "\r", "{", "}", "\u{7F}", ":",
        ]
        var read = 0
        for _ in 0..<20_000 {
            var text = ""
            var wanted: [String: String] = [:]
            for index in 0..<Int.random(in: 0...4, using: &generator) {
                let sentence = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    pieces.randomElement(using: &generator) ?? ""
                }.joined()
                if Bool.random(using: &generator) {
                    text += sentence + "\n"
                } else {
                    let clean = String(
                        String.UnicodeScalarView(
                            sentence.unicodeScalars.filter { $0.properties.generalCategory != .control }))
                    wanted["key\(index)"] = clean
                    let escaped = clean.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                    text += "key\(index): \"\(escaped)\"\n"
                }
            }
            if let sentences = try? Self.sentences(text) {
                read += 1
                let isRight = wanted.allSatisfy {
                    sentences[$0.key]?.unicodeScalars.elementsEqual($0.value.unicodeScalars) == true
                }
                #expect(isRight, "seed \(seed): \(text.debugDescription)")
            }
        }
        #expect(read > 1_000, "the reader refuses nearly everything")
    }

    /// Changing any byte of a real file never crashes the process. The file is refused, or the texts differ.
    @Test(arguments: [5, 6] as [UInt64])
    func aDamagedFileIsNeverTakenForTheWholeOne(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let file = URL(filePath: #filePath).appending(path: "../../../../Sources/Kiosk/Signage/Words/bg.yaml")
        let whole = Array(try Data(contentsOf: file.standardized))
        let sentences = try SentenceFile(whole).sentences
        for _ in 0..<300 {
            var damaged = whole
            let place = Int.random(in: damaged.indices, using: &generator)
            damaged[place] ^= UInt8.random(in: 1...255, using: &generator)
            guard let read = try? SentenceFile(damaged).sentences, read == sentences else { continue }
            let line = whole[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            #expect(whole[line] == 0x23 || whole[line] == 0x0A, "seed \(seed), byte \(place)")
        }
    }
}
