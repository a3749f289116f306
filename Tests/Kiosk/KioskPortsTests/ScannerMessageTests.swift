// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Patience
import Testing

@Suite struct ScannerMessageTests {
    static let sighting = SymbolSighting(
        captured: .nanoseconds(1_234_567_890_123), frameWidth: 1280, frameHeight: 720, centreX: 600, centreY: 300,
        edge: 200, brightness: 130, sharpness: 17)

    static func symbol(_ payload: [UInt8], parts: Int = 1) throws -> Symbol {
        try #require(Symbol(payload: SecretBytes(copying: payload), parts: parts, sighting: sighting))
    }

    static func statistics() -> ScannerStatistics {
        var statistics = ScannerStatistics()
        statistics.frames = 1
        statistics.dropped = 2
        statistics.damaged = 6
        statistics.flawed = 7
        statistics.symbols = .max
        statistics.repeats = 4
        statistics.decoding = .milliseconds(5)
        return statistics
    }

    static func preview() throws -> PreviewPicture {
        let count = PreviewPicture.width * PreviewPicture.height
        let outline = [(0, 0), (319, 1), (319, 179), (2, 178)].map { PixelPoint(x: $0.0, y: $0.1) }
        return try #require(
            PreviewPicture(luma: (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }, outline: outline))
    }

    static func messages() throws -> [ScannerMessage] {
        [
            .hello(version: 5, confinesFiles: false), .hello(version: 5, confinesFiles: true),
            .symbol(try symbol([0])),
            .symbol(try symbol([UInt8](repeating: 0xFF, count: 2953), parts: 16)),
            .symbol(try symbol(Array("https://login.example/mfa#12\u{0}34ä".utf8))),
            .stats(statistics()), .hint(ScannerAdvice(hint: nil, brightness: 120, sharpness: 200)),
            .hint(ScannerAdvice(hint: .blurred, brightness: 0, sharpness: 255)),
            .health(.running(camera: "")), .health(.running(camera: "Door Camera (1209:0001)")), .health(.paused),
            .health(.ended), .health(.failed(ScannerTrouble(.broken, "x.png: is empty; give a picture"))),
            .health(.waiting(ScannerTrouble(.missing, "camera: is not there; plug the camera in"))), .health(.outgrown),
            .health(.waiting(ScannerTrouble(.undecodable, "camera: delivers nothing that can be decoded"))),
            .preview(try preview()), .preview(try #require(PreviewPicture(luma: try preview().luma))), .looking,
            .skipped(ScannerTrouble(.broken, "x.png: is empty; give a picture")),
            .passedOver([]), .passedOver(["IR Camera (/dev/video0): sees infrared light only", ""]),
            .passedOver([String](repeating: "x", count: 16)),
            .taken([]),
            .taken([
                ControlSetting(id: 0x009A_0902, value: 160, kind: .chosenAgain),
                ControlSetting(id: .max, value: .min), ControlSetting(id: 0x009A_0901, value: 3, kind: .regulation),
            ]),
        ]
    }

    private func body(_ bytes: [UInt8]) throws -> ScannerMessage? {
        try ScannerMessage(body: SecretBytes(copying: bytes))
    }

    @Test func everyMessageComesBackAsItWas() throws {
        let messages = try ScannerMessageTests.messages()
        // In pieces of every size, as a pipe may deliver them.
        for size in [1, 2, 3, 7, 100, 100_000] {
            let bytes = messages.flatMap { $0.encoded() }
            var splitter = PipeMessageSplitter()
            var read: [ScannerMessage] = []
            var position = 0
            while position < bytes.count {
                let end = min(position + size, bytes.count)
                splitter.append(bytes.span.extracting(position..<end))
                position = end
                while let body = try splitter.next() {
                    read.append(try #require(try ScannerMessage(body: body)))
                }
            }
            #expect(read == messages)
        }
    }

    @Test func theBytesOnThePipeAreTheDocumentedOnes() throws {
        #expect(ScannerMessage.hello(version: 5, confinesFiles: true).encoded() == [4, 0, 0, 0, 1, 5, 0, 1])
        #expect(ScannerMessage.health(.running(camera: "C")).encoded() == [5, 0, 0, 0, 5, 1, 1, 0, 0x43])
        #expect(ScannerMessage.health(.ended).encoded() == [2, 0, 0, 0, 5, 3])
        #expect(
            ScannerMessage.health(.failed(ScannerTrouble(.broken, "a\nb"))).encoded()
                == [8, 0, 0, 0, 5, 4, 5, 3, 0, 0x61, 0x20, 0x62])
        #expect(
            ScannerMessage.health(.waiting(ScannerTrouble(.inUse, "a"))).encoded()
                == [6, 0, 0, 0, 5, 5, 2, 1, 0, 0x61])
        #expect(ScannerMessage.health(.outgrown).encoded() == [2, 0, 0, 0, 5, 6])
        #expect(
            ScannerMessage.symbol(try ScannerMessageTests.symbol([0x41, 0x00])).encoded()
                == [26, 0, 0, 0, 2, 0xCB, 0x04, 0xFB, 0x71, 0x1F, 0x01, 0, 0, 0, 5, 0xD0, 2, 0x58, 2, 0x2C, 1, 200, 0]
                + [130, 17, 1, 2, 0, 0x41, 0])
        #expect(
            ScannerMessage.hint(ScannerAdvice(hint: .tooBright, brightness: 250, sharpness: 3)).encoded()
                == [4, 0, 0, 0, 3, 2, 250, 3])
        #expect(ScannerCommand.pause.encoded() == [1, 0, 0, 0, 2])
        #expect(ScannerCommand.resume.encoded() == [1, 0, 0, 0, 3])
        #expect(ScannerCommand.stop.encoded() == [1, 0, 0, 0, 4])
        #expect(ScannerCommand.startPreviews.encoded() == [1, 0, 0, 0, 5])
        #expect(ScannerCommand.stopPreviews.encoded() == [1, 0, 0, 0, 6])
        let preview = ScannerMessage.preview(try ScannerMessageTests.preview()).encoded()
        #expect(preview.prefix(6) == [0x12, 0xE1, 0, 0, 6, 0] && preview.count == 4 + 57_618)
    }

    @Test func commandsComeBackAndUnknownOnesAreSkipped() throws {
        for command in ScannerCommand.allCases {
            #expect(try ScannerCommand(body: SecretBytes(copying: command.encoded().dropFirst(4))) == command)
        }
        #expect(try ScannerCommand(body: SecretBytes(copying: [1, 9, 9])) == nil)
        #expect(throws: PipeMessageError.trailingBytes(1)) {
            try ScannerCommand(body: SecretBytes(copying: [4, 0]))
        }
        #expect(throws: PipeMessageError.cutOff) { try ScannerCommand(body: SecretBytes(copying: [])) }
    }

    @Test func unknownKindsAreSkipped() throws {
        for kind: UInt8 in [0, 11, 12, 255] { #expect(try body([kind, 1, 2, 3]) == nil) }
    }

    @Test func brokenMessagesAreRefused() throws {
        let luma = [6] + [UInt8](repeating: 1, count: PreviewPicture.width * PreviewPicture.height)
        let corners: [UInt8] = [9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9, 0]
        let cutOff: [[UInt8]] = [
            [], [9, 1, 1, 0, 0, 0, 3, 0, 0, 0], [10, 2, 1, 0, 65], Array(luma.dropLast()), luma,
            luma + [4] + corners + [1, 0, 1],
        ]
        var invalid: [[UInt8]] = [
            [1, 5, 0, 2], [5, 0], [5, 7], [9, 9], [9, 1, 1, 0, 0, 0, 3, 0, 0, 0, 3],
            // Too many sentences, one that is too long, and unknown kinds of trouble.
            [10, 17], [10, 1, 1, 1] + [UInt8](repeating: 65, count: 257), [5, 5, 0, 0, 0], [5, 5, 7, 0, 0],
            // A reason that is too long, invalid UTF-8, or would move a terminal's cursor.
            [5, 4, 5, 1, 4] + [UInt8](repeating: 65, count: 1025), [5, 4, 5, 1, 0, 0xFF], [5, 4, 5, 1, 0, 0x1B],
            [5, 4, 5, 3, 0, 0xE2, 0x80, 0xAE],
            // An outline of another number of corners, and more nanoseconds than a duration may have here.
            luma + [3] + corners, luma + [5], [4] + [UInt8](repeating: 255, count: 56),
        ]
        for beside: [UInt8] in [[64, 1, 0, 0], [0, 0, 180, 0], [255, 255, 255, 255]] {
            invalid.append(luma + [4] + corners + beside)
        }
        let table: [(PipeMessageError, [[UInt8]])] = [
            (.otherVersion(1), [[1, 1, 0]]), (.trailingBytes(1), [[1, 5, 0, 0, 0], luma + [0, 1]]), (.cutOff, cutOff),
            (.invalidValue, invalid),
        ]
        for (error, bodies) in table {
            for bytes in bodies { #expect(throws: error, "\(bytes.prefix(20))") { try body(bytes) } }
        }
        var random = SplitMix64(seed: 45)
        for _ in 0..<200 {
            let tail = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard case .preview(let picture)? = try? body(luma + tail) else { continue }
            #expect(picture.outline.isEmpty || picture.outline.count == 4)
        }
    }

    @Test func brokenHintsAreRefused() throws {
        for hint in ScannerHint.allCases {
            #expect(
                try body([3, hint.rawValue, 1, 2])
                    == .hint(ScannerAdvice(hint: hint, brightness: 1, sharpness: 2)))
        }
        #expect(throws: PipeMessageError.invalidValue) { try body([3, 8, 1, 2]) }
        #expect(throws: PipeMessageError.cutOff) { try body([3, 1, 1]) }
        #expect(throws: PipeMessageError.trailingBytes(1)) { try body([3, 1, 1, 2, 3]) }
        let seed: UInt64 = 5
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let bytes =
                [3]
                + (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    UInt8.random(in: 0...9, using: &random)
                }
            let isWhole = bytes.count == 4 && bytes[1] <= 7
            #expect(((try? body(bytes)) != nil) == isWhole, "seed \(seed): \(bytes)")
        }
    }

    @Test func brokenSymbolsAreRefused() throws {
        let whole = Array(ScannerMessage.symbol(try ScannerMessageTests.symbol([7, 8])).encoded().dropFirst(4))
        for count in 1..<whole.count {
            #expect(throws: PipeMessageError.cutOff) { try body(Array(whole[..<count])) }
        }
        let wrong: [(offset: Int, value: UInt8, what: String)] = [
            (10, 0xFF, "wider than a frame may be"), (12, 0xFF, "taller than a frame may be"),
            (14, 0xFF, "a centre beside the frame"), (16, 0xFF, "a centre below the frame"),
            (18, 0xFF, "an edge too long"),
            (21, 0, "no part"), (21, 17, "too many parts"), (22, 0, "no payload"), (23, 0xFF, "too long a payload"),
        ]
        for (offset, value, what) in wrong {
            var bytes = whole
            bytes[offset] = value
            #expect(throws: PipeMessageError.self, "\(what)") { try body(bytes) }
        }
        #expect(
            Symbol(
                payload: SecretBytes(copying: [UInt8](repeating: 1, count: 2954)), parts: 1,
                sighting: ScannerMessageTests.sighting) == nil)
    }

    @Test func lengthsOutOfBoundsEndThePipe() throws {
        for length: UInt32 in [0, 65537, .max] {
            var splitter = PipeMessageSplitter()
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
            splitter.append(bytes.span)
            #expect(throws: PipeMessageError.invalidLength(length)) { try splitter.next() }
        }
    }

    @Test func nothingOfAPayloadIsPrinted() throws {
        let message = ScannerMessage.symbol(try ScannerMessageTests.symbol(Array("https://a.example#SECRET".utf8)))
        #expect(!"\(message)".contains("SECRET"))
        #expect(!String(reflecting: message).contains("SECRET"))
    }

    /// Any bytes of a hostile child are refused, skipped, or a message that encodes to the same bytes.
    @Test func hostileBytesNeverBecomeAMessageThatWasNotWritten() throws {
        let seed: UInt64 = 20_26
        var random = SplitMix64(seed: seed)
        let models = try ScannerMessageTests.messages().map { Array($0.encoded().dropFirst(4)) }
        var understood = 0
        for round in 0..<TestEffort.rounds(5_000) {
            let bytes = models[Int(random.next() % UInt64(models.count))].damaged(0...3, using: &random)
            do {
                guard let message = try body(bytes) else { continue }
                understood += 1
                #expect(Array(message.encoded().dropFirst(4)) == bytes, "seed \(seed), round \(round)")
            } catch is PipeMessageError {}
        }
        #expect(understood > 250)
    }
}
