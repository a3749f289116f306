// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import Patience
import ScreenTestKit
import Signage
import Synchronization
import Testing

@testable import DisplayLink

@Suite("Keys that a panel shows", .timeLimit(.minutes(10)))
struct TouchKeysTests {
    private static let panel = Panel(width: 800, height: 480, documentRoom: nil, codeRoom: 100)

    /// A display without a process, which answers what a test says.
    private func display(_ touch: TouchSettings = TouchSettings(), log: LogCapture = LogCapture()) throws -> TestDisplay
    {
        let display = TestDisplay(touch, log)
        display.link.touchPanelChanged(isThere: true)
        try display.link.hear(.panel(.shown(Self.panel)))
        return display
    }

    final class TestDisplay: Sendable {
        let link: DisplayProcess
        let time: ManualTime

        init(_ touch: TouchSettings, _ log: LogCapture) {
            let time = ManualTime()
            self.time = time
            link = DisplayProcess(
                executable: "/nowhere", languages: .standard, settings: DisplaySettings(), touch: touch,
                now: { time.now }, clock: ContinuousClock(), logger: log.logger
            ) { [] }
        }

        /// Shows a view, and returns it as it is sent.
        func show(_ view: KioskView) async throws -> (number: UInt32, words: DisplayView) {
            await link.show(view)
            return try newest()
        }

        func newest() throws -> (number: UInt32, words: DisplayView) {
            let views = link.takeOrders().compactMap { order -> (number: UInt32, words: DisplayView)? in
                if case .view(let number, let words) = order { (number, words) } else { nil }
            }
            return try #require(views.last)
        }
    }

    final class ManualTime: Sendable {
        private let time = Mutex(Duration.seconds(5))
        var now: Duration { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    /// Places of keys in a row of equal cells, three in each.
    private static func places(_ keys: [KeyPlace.Key]) -> [KeyPlace] {
        keys.enumerated().map { index, key in
            KeyPlace(key, x: index % 3 * 100, y: index / 3 * 60, width: 90, height: 50)
        }
    }

    private static let pad: [KeyPlace.Key] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map { .digit($0) }

    @Test func keysComeWithTheViewThatIsShown() async throws {
        let display = try display()
        let consent = SampleViews.view("consent")
        let first = try await display.show(consent)
        #expect(display.link.touchKeys == nil)
        try display.link.hear(.shown(view: first.number, leftOut: [], keys: Self.places([.ofView(0), .ofView(1)])))
        let keys = try #require(display.link.touchKeys)
        #expect(
            keys.keys.map(\.effect) == consent.actions.prefix(2).map { TouchKey.Effect.press($0.key, label: $0.label) })
        #expect(keys.keys.allSatisfy { $0.since == .seconds(5) } && !keys.isSecret)
        // Another question, of the same kind.
        var other = consent
        other.lines[0] = Prompt(.consentService, [.service: "Another Shop"])
        _ = try await display.show(other)
        #expect(display.link.touchKeys == nil)
        // An answer to the view before comes late.
        try display.link.hear(.shown(view: first.number, leftOut: [], keys: Self.places([.ofView(0), .ofView(1)])))
        #expect(display.link.touchKeys == nil)
    }

    /// Fast fingers lose no digit: the pad of a PIN is the same after each.
    @Test func keysStayWhileAPINIsTyped() async throws {
        let display = try display()
        var view = SampleViews.view("PIN")
        view.entry = .masked(count: 0, capacity: 6)
        let first = try await display.show(view)
        try display.link.hear(.shown(view: first.number, leftOut: [], keys: Self.places(Self.pad + [.ofView(0)])))
        display.time.pass(.seconds(1))
        view.entry = .masked(count: 1, capacity: 6)
        let second = try await display.show(view)
        let between = try #require(display.link.touchKeys)
        #expect(between.keys.count == 11 && between.typedCount == 1 && between.isSecret)
        try display.link.hear(.shown(view: second.number, leftOut: [], keys: Self.places(Self.pad + [.ofView(0)])))
        #expect(display.link.touchKeys?.keys.allSatisfy { $0.since == .seconds(5) } == true)
        // A key that moves is a new one.
        var moved = Self.places(Self.pad)
        moved[9] = KeyPlace(.digit(0), x: 500, y: 300, width: 90, height: 50)
        let third = try await display.show(view)
        try display.link.hear(.shown(view: third.number, leftOut: [], keys: moved))
        #expect(display.link.touchKeys?.keys.last?.since == .seconds(6))
    }

    /// The process learns which key is touched where that is no secret, and nothing of the keys of a PIN.
    @Test func theDisplayNeverLearnsADigit() async throws {
        let display = try display()
        for (name, key, isTold) in [("PIN", KeyPlace.Key.digit(5), false), ("consent", KeyPlace.Key.ofView(1), true)] {
            let sent = try await display.show(SampleViews.view(name))
            let keys = name == "PIN" ? Self.pad + [.ofView(0)] : [.ofView(0), .ofView(1)]
            try display.link.hear(.shown(view: sent.number, leftOut: [], keys: Self.places(keys)))
            let touched = try #require(display.link.touchKeys?.keys.first { $0.place.key == key })
            for key in [touched, nil] { display.link.touch(key) }
            display.link.touch(touched)
            let orders = display.link.takeOrders()
            #expect(orders == (isTold ? [.touch(view: sent.number, key)] : []), "\(name)")
        }
    }

    /// A process that lies about its keys is ended: another order of digits or answers, a key twice, one over another,
    /// a key of another view.
    @Test(
        arguments: [
            ("PIN", [.digit(2), .digit(1)] + pad.dropFirst(2)), ("PIN", pad + [.digit(3)]),
            ("PIN", pad + [.character(0)]), ("PIN", pad + [.ofView(9)]), ("PIN", pad + [.otherKeyboard]),
            ("consent", [.ofView(1), .ofView(0)]), ("consent", pad), ("consent", [.domain(0)]),
            ("e-mail", [.character(1), .character(0)]), ("e-mail", [.character(200)]), ("e-mail", [.digit(0)]),
        ] as [(String, [KeyPlace.Key])])
    func aDisplayThatLiesIsEnded(view: String, keys: [KeyPlace.Key]) async throws {
        let display = try display()
        let sent = try await display.show(SampleViews.view(view))
        #expect(throws: KeysFault.self) {
            try display.link.hear(.shown(view: sent.number, leftOut: [], keys: Self.places(keys)))
        }
        #expect(display.link.touchKeys == nil)
    }

    @Test(arguments: [
        [
            KeyPlace(.ofView(0), x: 0, y: 0, width: 100, height: 100),
            KeyPlace(.ofView(1), x: 99, y: 0, width: 100, height: 90),
        ],
        [KeyPlace(.ofView(0), x: 750, y: 0, width: 100, height: 100)],
        [KeyPlace(.ofView(0), x: 0, y: 400, width: 100, height: 100)],
    ])
    func keysHaveTheirOwnPlaceOnThePanel(places: [KeyPlace]) async throws {
        let display = try display()
        let sent = try await display.show(SampleViews.view("consent"))
        #expect(throws: KeysFault.self) {
            try display.link.hear(.shown(view: sent.number, leftOut: [], keys: places))
        }
    }

    @Test func aShuffledPadIsAnotherForEachEntry() async throws {
        let display = try display(TouchSettings(shufflesPad: true))
        var view = SampleViews.view("PIN")
        var orders: Set<[Int]> = []
        for _ in 0..<8 {
            view.entry = .masked(count: 0, capacity: 6)
            let pad = try #require(try await display.show(view).words.keyboard?.pad)
            #expect(pad.sorted() == Array(0...9))
            // It stays while the PIN is typed, and the display cannot choose it.
            view.entry = .masked(count: 1, capacity: 6)
            let sent = try await display.show(view)
            #expect(sent.words.keyboard?.pad == pad)
            try display.link.hear(
                .shown(view: sent.number, leftOut: [], keys: Self.places(pad.map { .digit($0) })))
            orders.insert(pad)
            _ = try await display.show(SampleViews.view("consent"))
        }
        #expect(orders.count > 1)
        #expect(try await display.show(SampleViews.view("e-mail")).words.keyboard?.pad == DisplayView.Keyboard.usualPad)
    }

    @Test func lettersAreShownWhereTheyAreWanted() async throws {
        let display = try display(TouchSettings(domains: ["example.com"]))
        let mail = try await display.show(SampleViews.view("e-mail"))
        #expect(mail.words.keyboard?.showsLetters == true && mail.words.keyboard?.domains == ["example.com"])
        let code = KioskView(.codeEntry, .ask, title: Prompt(.codeEntryTitle), entry: .text(""))
        #expect(try await display.show(code).words.keyboard?.showsLetters == false)
        display.link.showOtherKeyboard()
        #expect(try display.newest().words.keyboard?.showsLetters == true)
        #expect(try await display.show(code).words.keyboard?.showsLetters == true)
        #expect(try await display.show(SampleViews.view("consent")).words.keyboard == nil)
        #expect(try await display.show(code).words.keyboard?.showsLetters == false)
    }

    /// A touch anywhere wakes the kiosk, from the moment at which it rests: a person who touches a panel that just went
    /// dark touches it once. The display has no say in it.
    @Test func atRestTheWholePanelIsAKey() async throws {
        let display = try display()
        var view = SampleViews.view("scan")
        for step in 0...1 {
            view.restStep = step
            let sent = try await display.show(view)
            let keys = try #require(display.link.touchKeys)
            #expect(keys.keys.map(\.effect) == [.press(.back, label: nil)] && keys.keys[0].place.width == 800)
            #expect(keys.keys[0].since == .zero)
            try display.link.hear(.shown(view: sent.number, leftOut: [], keys: Self.places([.ofView(0), .ofView(0)])))
            #expect(display.link.touchKeys == keys)
        }
    }

    @Test func withoutATouchPanelNoKeyboardIsDrawn() async throws {
        let display = try display()
        display.link.touchPanelChanged(isThere: false)
        let sent = try await display.show(SampleViews.view("PIN"))
        #expect(sent.words.keyboard == nil)
        try display.link.hear(.shown(view: sent.number, leftOut: [], keys: Self.places([.ofView(0)])))
        #expect(display.link.touchKeys == nil)
        display.link.touchPanelChanged(isThere: true)
        let orders = display.link.takeOrders()
        #expect(orders.first == .settings(DisplaySettings(isTouched: true)) && orders.count == 2)
        try display.link.hear(.panel(.missing("unplugged")))
        #expect(!display.link.isShown && display.link.touchKeys == nil)
    }

    /// The program itself draws what the kiosk accepts, for each view in both orientations.
    @Test(arguments: ["800x480", "480x800"]) func theProgramsKeysAreTaken(size: String) async throws {
        let log = LogCapture()
        try await DisplayProcessTests.with(nil, ["--memory", size], log: log) { display in
            display.touchPanelChanged(isThere: true)
            for (name, view) in SampleViews.all where view.restStep == nil {
                await display.show(view)
                try await Patience.until { !display.owesAnswer && display.touchKeys != nil }
                let effects = Set((display.touchKeys?.keys ?? []).map(\.effect))
                let keyboard = DisplayView.Keyboard(view, in: .english)
                let needless: [Key] = keyboard == nil ? [] : [.menu, .clear]
                for action in view.atItsKeys.actions where !needless.contains(action.key) {
                    let isThere = effects.contains(.press(action.key, label: action.label))
                    #expect(isThere, "\(name): \(action.key)")
                }
                guard let keyboard else { continue }
                let typed: [Key] =
                    keyboard.showsLetters
                    ? keyboard.rows.joined().map { .character($0) } : (0...9).map { .digit(UInt8($0)) }
                #expect(effects.isSuperset(of: typed.map { .press($0, label: nil) }), "\(name)")
            }
            #expect(!log.text.contains("the display restarts"), "\(log.text)")
        }
    }
}
