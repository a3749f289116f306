// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Patience
import Testing

@Suite struct DisplayMessageTests {
    static let view: DisplayView = {
        var view = DisplayView(.consent, .ask, title: "Do you want to log in here?")
        view.language = "de"
        view.lines = [
            DisplayView.Line(label: "Domain:", "login.example.com", kind: .domain),
            DisplayView.Line("Ää 日本", kind: .warning),
        ]
        view.factCount = 1
        view.document = [
            DisplayView.Row([DisplayView.Row.Piece("a "), DisplayView.Row.Piece("‹U+202E›", isMark: true)]),
            DisplayView.Row([]),
        ]
        view.hint = "A hint"
        view.isBusy = true
        view.keys = [
            DisplayView.Key(.enter, cap: "Enter", label: "OK", meaning: .yes),
            DisplayView.Key(.digit, cap: "2", label: "Deutsch", isLanguage: true),
        ]
        view.countdown = .milliseconds(9_500)
        view.restStep = 7
        view.isAsleep = true
        view.look = ScreenLook(hasLargeText: true)
        view.keyboard = DisplayView.Keyboard(
            rows: ["123", "äя"], toLetters: "Letters", toDigits: "Digits", domains: ["example.com"], showsLetters: true)
        view.keyboard?.pad = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
        view.excuses = DisplayView.Excuses(facts: "f", document: "d", code: "c")
        return view
    }()

    static func orders() throws -> [DisplayOrder] {
        var orders: [DisplayOrder] = [
            .settings(DisplaySettings()), .settings(DisplaySettings(rotation: .left, scale: 130, isTouched: true)),
            .preview(try ScannerMessageTests.preview()), .stop, .touch(view: 9, nil), .touch(view: 7, .character(41)),
            .touch(view: 7, .otherKeyboard), .view(number: 1, DisplayView(.scan, .ready, title: "")),
        ]
        let grid = try #require(
            ModuleGrid(side: 3, isDark: [true, false, true, true, false, false, false, false, true]))
        let entries: [DisplayView.Entry?] = [
            nil, .masked(count: 3, capacity: 6), .text("a@b"), .digits("739 164"), .code(grid),
        ]
        for (index, entry) in entries.enumerated() {
            var view = Self.view
            view.entry = entry
            orders.append(.view(number: .max - UInt32(index), view))
        }
        return orders
    }

    static let messages: [DisplayMessage] = [
        .hello(version: 1, confinesFiles: true), .panel(.missing("no panel is connected")), .panel(.held),
        .panel(.shown(Panel(width: 800, height: 480, documentRoom: nil, codeRoom: 100))),
        .panel(
            .shown(
                Panel(
                    width: 1920, height: 1080, documentRoom: DocumentPageSize(columns: 60, rows: 10), codeRoom: 185))),
        .shown(view: 7, leftOut: [], keys: []),
        .shown(
            view: .max, leftOut: [.facts, .explanations],
            keys: [
                KeyPlace(.ofView(1), x: 0, y: 400, width: 370, height: 64),
                KeyPlace(.digit(9), x: 10, y: 20, width: 1, height: 1),
                KeyPlace(.character(44), x: 0, y: 0, width: 9, height: 9),
                KeyPlace(.domain(2), x: 0, y: 0, width: 9, height: 9),
                KeyPlace(.otherKeyboard, x: 0, y: 0, width: 9, height: 9),
            ]),
    ]

    private func body(of bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes.dropFirst(4)) }

    @Test func everythingComesBackAsItWas() throws {
        for order in try Self.orders() {
            #expect(try DisplayOrder(body: body(of: order.encoded())) == order)
            #expect(order.arrivesWhole)
        }
        for message in Self.messages { #expect(try DisplayMessage(body: body(of: message.encoded())) == message) }
    }

    @Test func theBytesOnThePipeAreTheDocumentedOnes() {
        #expect(DisplayOrder.stop.encoded() == [1, 0, 0, 0, 4])
        #expect(DisplayOrder.settings(DisplaySettings(rotation: .half)).encoded() == [4, 0, 0, 0, 1, 2, 100, 0])
        #expect(DisplayMessage.panel(.held).encoded() == [2, 0, 0, 0, 2, 2])
        #expect(
            DisplayMessage.shown(view: 258, leftOut: .code, keys: []).encoded() == [7, 0, 0, 0, 3, 2, 1, 0, 0, 4, 0])
    }

    /// The flags of a view, the kinds of entries, and the kinds of keys.
    @Test func eachKindKeepsItsByte() throws {
        let flags: [(UInt8, (inout DisplayView) -> Void)] = [
            (1, { $0.isBusy = true }), (2, { $0.showsPreview = true }), (4, { $0.isAsleep = true }),
            (8, { $0.look.hasLargeText = true }), (16, { $0.look.hasHighContrast = true }),
        ]
        for (flag, change) in flags {
            var view = DisplayView(.scan, .ready, title: "")
            change(&view)
            #expect(DisplayOrder.view(number: 1, view).encoded()[15] == flag)
        }
        let grid = try #require(
            ModuleGrid(side: 3, isDark: [true, false, true, true, false, false, false, false, true]))
        let entries: [(DisplayView.Entry?, [UInt8])] = [
            (nil, [0]), (.masked(count: 3, capacity: 6), [1, 3, 6]), (.text("a"), [2, 1, 0, 97]),
            (.digits("7"), [3, 1, 0, 55]), (.code(grid), [4, 3, 13, 1]),
        ]
        for (entry, bytes) in entries {
            var view = DisplayView(.scan, .ready, title: "")
            view.entry = entry
            #expect(Array(DisplayOrder.view(number: 1, view).encoded().dropFirst(23).prefix(bytes.count)) == bytes)
        }
        let keys: [(KeyPlace.Key, [UInt8])] = [
            (.ofView(1), [0, 1]), (.digit(9), [1, 9]), (.character(41), [2, 41]), (.domain(2), [3, 2]),
            (.otherKeyboard, [4, 0]),
        ]
        for (key, bytes) in keys {
            #expect(DisplayOrder.touch(view: 7, key).encoded() == [8, 0, 0, 0, 5, 7, 0, 0, 0, 1] + bytes)
        }
    }

    /// A view that would arrive cut differs from what was sent, and so is not taken for the whole.
    @Test func aViewThatIsCutDoesNotArriveWhole() throws {
        let changes: [(inout DisplayView) -> Void] = [
            { $0.title = String(repeating: "x", count: 513) },
            { $0.lines = Array(repeating: DisplayView.Line("x"), count: 25) },
            { $0.lines = [DisplayView.Line("a\u{202E}b")] },
            { $0.document = [DisplayView.Row([DisplayView.Row.Piece(String(repeating: "я", count: 321))])] },
            // Each digit is on the pad once.
            { $0.keyboard?.pad[9] = 1 },
        ]
        for change in changes {
            var view = Self.view
            change(&view)
            #expect(!DisplayOrder.view(number: 1, view).arrivesWhole)
        }
        var view = Self.view
        // The largest of everything fits into a message.
        let text = String(repeating: "x", count: 640)
        view.title = String(repeating: "x", count: 512)
        view.lines = Array(repeating: DisplayView.Line(label: String(repeating: "x", count: 128), text), count: 24)
        view.document = Array(repeating: DisplayView.Row([DisplayView.Row.Piece(text)]), count: 32)
        view.hint = text
        view.entry = .code(try #require(ModuleGrid(side: 185, isDark: Array(repeating: true, count: 185 * 185))))
        let sentence = String(repeating: "x", count: 320)
        view.keys = Array(
            repeating: DisplayView.Key(.other, cap: String(repeating: "x", count: 64), label: sentence), count: 24)
        view.excuses = DisplayView.Excuses(facts: sentence, document: sentence, code: sentence)
        #expect(DisplayOrder.view(number: 1, view).arrivesWhole)
    }

    @Test func brokenMessagesAreRefused() {
        func message(_ bytes: [UInt8]) throws -> DisplayMessage? {
            try DisplayMessage(body: SecretBytes(copying: bytes))
        }
        func order(_ bytes: [UInt8]) throws -> DisplayOrder? { try DisplayOrder(body: SecretBytes(copying: bytes)) }
        #expect(throws: PipeMessageError.otherVersion(2)) { try message([1, 2, 0, 1]) }
        // A panel of no width, a page that is too narrow, an unknown part, and a key outside of every panel.
        for bytes: [UInt8] in [
            [1, 1, 0, 2], [2, 4], [2, 3, 0, 0, 224, 1, 0, 0, 9], [2, 3, 32, 3, 224, 1, 15, 9, 9],
            [3, 1, 0, 0, 0, 64, 0], [3, 1, 0, 0, 0, 0, 65], [3, 1, 0, 0, 0, 0, 1, 0, 0, 255, 255, 0, 0, 9, 0, 9, 0],
            [3, 1, 0, 0, 0, 0, 1, 1, 10, 0, 0, 0, 0, 9, 0, 9, 0],
        ] { #expect(throws: PipeMessageError.invalidValue, "\(bytes)") { try message(bytes) } }
        for key: [UInt8] in [[4, 1], [5, 0]] {
            #expect(throws: PipeMessageError.invalidValue) {
                try message([3, 1, 0, 0, 0, 0, 1] + key + [0, 0, 0, 0, 9, 0, 9, 0])
            }
            #expect(throws: PipeMessageError.invalidValue) { try order([5, 1, 0, 0, 0, 1] + key) }
        }
        for bytes: [UInt8] in [[1, 4, 100, 0], [1, 0, 74, 0]] {
            #expect(throws: PipeMessageError.invalidValue, "\(bytes)") { try order(bytes) }
        }
        #expect(throws: PipeMessageError.trailingBytes(1)) { try order([4, 0]) }
        #expect(throws: PipeMessageError.cutOff) { try order([3, 1, 2]) }
        // A view with a flag that is not known.
        var view = DisplayOrder.view(number: 1, Self.view).encoded()
        view[15] |= 32
        #expect(throws: PipeMessageError.invalidValue) { try order(Array(view.dropFirst(4))) }
        #expect((try? message([9, 1])) == .some(nil) && (try? order([0])) == .some(nil))
    }

    /// Messages that were changed at random are read or refused, and what is read can be sent again.
    @Test func damagedMessagesDoNoHarm() throws {
        var random = SplitMix64(seed: 44)
        let samples = try Self.orders().map { $0.encoded() } + Self.messages.map { $0.encoded() }
        for _ in 0..<TestEffort.rounds(4_000) {
            let sample = Array(samples.randomElement(using: &random)?.dropFirst(4) ?? [])
            // Behind these is the picture of a camera, which may be cut off.
            let lost = Bool.random(using: &random) ? Int.random(in: 0...1_000, using: &random) : 0
            let bytes = Array(sample.prefix(400)).damaged(using: &random) + sample.dropFirst(400).dropLast(lost)
            let body = SecretBytes(copying: bytes)
            if let order = try? DisplayOrder(body: body) { #expect(order.arrivesWhole) }
            if let message = try? DisplayMessage(body: body) {
                #expect(try DisplayMessage(body: self.body(of: message.encoded())) == message)
            }
        }
    }
}
