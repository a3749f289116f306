// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing
@testable import Keypads

@Suite("Bytes of a terminal become keys")
struct KeyDecoderTests {
    static func decode(_ reads: String...) -> [KeyPress] {
        var decoder = KeyDecoder()
        var presses: [KeyPress] = []
        for read in reads {
            let bytes = Array(read.utf8)
            presses += decoder.decode(bytes.span)
        }
        return presses + decoder.timedOut()
    }

    static let single: [(String, Key?)] = [
        ("0", .digit(0)), ("9", .digit(9)), ("\r", .enter), ("\n", .enter), ("\u{7F}", .back), ("\u{8}", .back),
        ("\u{1B}", .back), ("\u{1B}[D", .back), ("\u{15}", .clear), ("\u{1B}[3~", .clear), ("\t", .menu),
        ("\u{1B}OP", .menu), ("\u{1B}[11~", .menu), ("\u{1B}[H", .menu), ("\u{1B}[1~", .menu),
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
        #expect(decoder.isUndecided)
        #expect(decoder.timedOut() == [])
        #expect(decoder.decode(Array("2".utf8).span) == [KeyPress(.digit(2))])
    }

    @Test func aMarkedPasteIsABurstHoweverItIsCut() {
        let presses = Self.decode("\u{1B}[200~", "2", "5", "8", "0", "\u{1B}[201~", "1")
        #expect(presses.map(\.isBurst) == [true, true, true, true, false])
    }

    @Test func randomBytesNeverMakeAHastyKeyLookTyped() {
        let seed: UInt64 = 77
        var state = seed
        func random(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        let spice: [UInt8] = [0x1B, 0x5B, 0x4F, 0x7E, 0x30, 0x32, 0x0D, 0x7F]
        var decoder = KeyDecoder()
        for round in 0..<100_000 {
            let bytes = (0..<random(6)).map { _ in
                random(3) == 0 ? UInt8(random(256)) : spice[Int(random(UInt64(spice.count)))]
            }
            let presses = decoder.decode(bytes.span)
            if presses.count > 1, !presses.allSatisfy(\.isBurst) {
                Issue.record("seed \(seed), round \(round): \(bytes)")
                return
            }
            if random(4) == 0 { _ = decoder.timedOut() }
        }
    }
}
