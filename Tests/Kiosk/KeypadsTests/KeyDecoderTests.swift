// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Patience
import Testing
@testable import Keypads

@Suite("Decoding a terminal's bytes into keys")
struct KeyDecoderTests {
    static func decode(_ reads: String...) -> [KeyPress] {
        decode(reads.map { Array($0.utf8) })
    }

    static func decode(_ reads: [[UInt8]]) -> [KeyPress] {
        var decoder = KeyDecoder()
        return reads.flatMap { decoder.decode($0.span) } + decoder.timedOut()
    }

    static let single: [(String, Key?)] = [
        ("0", .digit(0)), ("9", .digit(9)), ("\r", .enter), ("\n", .enter), ("\u{7F}", .back), ("\u{8}", .back),
        ("\u{1B}", .back), ("\u{1B}[D", .back), ("\u{15}", .clear), ("\u{1B}[3~", .clear), ("\t", .menu),
        ("\u{1B}[11~", .menu), ("\u{1B}[H", .menu), ("\u{1B}OH", .menu), ("\u{1B}[1~", .menu), ("\u{1B}[7~", .menu),
        ("a", .character("a")), ("@", .character("@")), (" ", .character(" ")),
        ("\u{1B}[A", nil), ("\u{1B}[1;5C", nil), ("\u{1B}x", nil), ("\u{0}", nil), ("\u{1}", nil), ("ü", nil),
        ("\u{1B}[12345678901234", nil), ("\u{1B}[12345678901234~", nil), ("\u{1B}[3\u{1B}", .back),
        ("\u{1B}[3\r", .enter),
    ]

    @Test(arguments: single)
    func oneKey(bytes: String, key: Key?) {
        #expect(Self.decode(bytes).first?.key == key)
        #expect(Self.decode(bytes).first?.isBurst != true)
    }

    /// Sequences of number pads, consoles and terminals besides the keys of a PC.
    static let others: [(String, [Key])] = [
        // A number pad in application mode. There PF1 is NumLock, not MENU.
        ("\u{1B}Op\u{1B}Oq\u{1B}Oy\u{1B}OM", [.digit(0), .digit(1), .digit(9), .enter]),
        ("\u{1B}Oj\u{1B}Ol\u{1B}On\u{1B}Om\u{1B}Ok\u{1B}Oo\u{1B}OP", [.back, .clear, .clear]),
        ("\u{1B}OD", [.back]),
        // F1 to F5 of the Linux console.
        ("\u{1B}[[A\u{1B}[[B\u{1B}[[C\u{1B}[[D\u{1B}[[E1", [.menu, .digit(1)]),
        // kitty, without and with NumLock; a repeat, a release, and with Ctrl.
        ("\u{1B}[49u\u{1B}[57400u\u{1B}[57414u\u{1B}[13u", [.digit(1), .digit(1), .enter, .enter]),
        ("\u{1B}[50;129u\u{1B}[50;1:1u\u{1B}[50;1:2u\u{1B}[50;1:3u\u{1B}[50;5u", [.digit(2), .digit(2)]),
        ("\u{1B}[57417u\u{1B}[57423u\u{1B}[57427u\u{1B}[57426u", [.digit(4), .digit(7), .digit(5), .clear]),
        ("\u{1B}[127u\u{1B}[27u\u{1B}[9u\u{1B}[P\u{1B}[64u", [.back, .back, .menu, .menu, .character("@")]),
        // xterm's modifyOtherKeys.
        ("\u{1B}[27;1;55~\u{1B}[27;2;49~\u{1B}[27;2;13~\u{1B}[27;5;49~", [.digit(7), .digit(1), .enter]),
        // Mouse, focus and an empty paste.
        ("\u{1B}[I\u{1B}[O\u{1B}[<0;10;10M\u{1B}[200~\u{1B}[201~", []),
        // Answers of terminals: attributes, position, version, colour.
        ("\u{1B}[?62;4c\u{1B}[24;80R\u{1B}P>|XTerm(370)\u{1B}\\\u{1B}]11;rgb:0000/1111/2222\u{7}5", [.digit(5)]),
        // Letters of other scripts, whose bytes are control characters elsewhere, and full-width digits.
        ("é\u{11B}\u{11B}D１２\u{1F600}8", [.character("D"), .digit(8)]),
    ]

    @Test(arguments: others)
    func keysOfOtherTerminals(bytes: String, keys: [Key]) {
        #expect(Self.decode(bytes).map(\.key) == keys)
    }

    @Test(arguments: [[0x9B, 0x44], [0xC2, 0x9B, 0x44], [0x8F, 0x44]] as [[UInt8]])
    func sequencesMayBeginWithOneControl(bytes: [UInt8]) {
        #expect(Self.decode([bytes]) == [KeyPress(.back)])
    }

    @Test(arguments: [["\r\n"], ["\r", "\n"], ["\r\0"], ["\n"]])
    func aLineEndIsOneEnter(reads: [String]) {
        #expect(Self.decode(reads.map { Array($0.utf8) }) == [KeyPress(.enter)])
    }

    @Test(arguments: [["[D"], ["[", "D"], ["[3", "~"], ["OD"], ["[57400u"]])
    func aSequenceThatASlowLineCutsIsOneKey(rest: [String]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}".utf8).span) == [])
        #expect(decoder.timedOut() == [KeyPress(.back)])
        for read in rest { #expect(decoder.decode(Array(read.utf8).span) == []) }
        #expect(decoder.patience == nil)
        #expect(decoder.decode(Array("4".utf8).span) == [KeyPress(.digit(4))])
    }

    /// The key is no part of a sequence, because nothing came with it.
    @Test func whatIsTypedBehindEscapeCounts() {
        for (typed, key) in [("O", Key.character("O")), ("7", .digit(7)), ("\r", .enter)] {
            var decoder = KeyDecoder()
            _ = decoder.decode(Array("\u{1B}".utf8).span)
            _ = decoder.timedOut()
            #expect(decoder.decode(Array(typed.utf8).span) == [KeyPress(key)])
        }
    }

    /// A lone escape is a key, and a person waits for its effect.
    @Test func aSequenceIsWaitedForLongerThanALoneEscape() throws {
        var decoder = KeyDecoder()
        _ = decoder.decode(Array("\u{1B}".utf8).span)
        let escape = try #require(decoder.patience)
        _ = decoder.decode(Array("[".utf8).span)
        #expect(try #require(decoder.patience) > escape)
    }

    @Test func keysOfOneReadAreABurst() {
        #expect(Self.decode("25") == [KeyPress(.digit(2), isBurst: true), KeyPress(.digit(5), isBurst: true)])
        #expect(Self.decode("2", "5") == [KeyPress(.digit(2)), KeyPress(.digit(5))])
        #expect(Self.decode("2\r").allSatisfy { $0.isBurst })
    }

    @Test func aSequenceMayComeInPieces() {
        #expect(Self.decode("\u{1B}", "[", "3", "~", "7") == [KeyPress(.clear), KeyPress(.digit(7))])
    }

    @Test func halfASequenceDoesNotSwallowWhatIsTypedLater() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[1".utf8).span) == [])
        #expect(decoder.patience != nil)
        #expect(decoder.timedOut() == [])
        #expect(decoder.decode(Array("2".utf8).span) == [KeyPress(.digit(2))])
    }

    @Test func aMarkedPasteIsABurstHoweverItIsCut() {
        let presses = Self.decode("\u{1B}[200~", "2", "5", "8", "0", "\u{1B}[201~", "1")
        #expect(presses.map(\.isBurst) == [true, true, true, true, false])
    }

    @Test func randomBytesNeverMakeAHastyKeyLookTyped() {
        let seed: UInt64 = 77
        var random = SplitMix64(seed: seed)
        let spice: [UInt8] = [0x1B, 0x5B, 0x4F, 0x7E, 0x30, 0x32, 0x0D, 0x7F]
        var decoder = KeyDecoder()
        for round in 0..<100_000 {
            let bytes = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                Int.random(in: 0..<3, using: &random) == 0
                    ? UInt8.random(in: 0...255, using: &random) : spice.randomElement(using: &random) ?? 0
            }
            let presses = decoder.decode(bytes.span)
            if presses.count > 1, !presses.allSatisfy(\.isBurst) {
                Issue.record("seed \(seed), round \(round): \(bytes)")
                return
            }
            if Int.random(in: 0..<4, using: &random) == 0 { _ = decoder.timedOut() }
        }
    }
}
