// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import Testing

@testable import Keypads

@Suite("Fingers on a panel, as presses")
struct TouchTrackerTests {
    /// An event after some milliseconds: fingers at keys, or at shares of the panel, and a screen.
    fileprivate struct Step {
        let time: Int
        var contacts: [Contact] = []
        var screen: TouchKeys? = FakeTouchedScreen.pad()
    }

    private static func finger(_ key: KeyPlace.Key, _ id: Int32 = 1, isPalm: Bool = false) -> Contact {
        let middle = FakeTouchedScreen.middle(key)
        return Contact(id: id, x: middle.x, y: middle.y, isPalm: isPalm)
    }

    private static func effects(_ steps: [Step], isTouched: Bool = false) -> [TouchTracker.Effect] {
        var tracker = TouchTracker(isTouched: isTouched)
        return steps.flatMap { step in
            tracker.take(step.contacts, at: .milliseconds(step.time), on: step.screen)
        }
    }

    private static func keys(_ effects: [TouchTracker.Effect]) -> [Key] {
        effects.compactMap { if case .pressed(let press) = $0 { press.key } else { nil } }
    }

    private static func isLost(_ effects: [TouchTracker.Effect]) -> Bool {
        effects.contains { if case .lost = $0 { true } else { false } }
    }

    private static let five = finger(.digit(5))
    private static let six = finger(.digit(6))

    @Test func aTapIsOnePressWhenTheFingerIsLifted() {
        var tracker = TouchTracker()
        #expect(tracker.take([Self.five], at: .seconds(1), on: FakeTouchedScreen.pad()).isEmpty)
        let subject = KeySubject(FakeTouchedScreen.pin)
        #expect(
            tracker.take([], at: .milliseconds(1060), on: FakeTouchedScreen.pad())
                == [.pressed(KeyPress(.digit(5), touched: TouchedView(subject, nil)))])
        #expect(tracker.take([], at: .milliseconds(1070), on: FakeTouchedScreen.pad()).isEmpty)
    }

    /// A way in which nothing is pressed.
    struct Way: CustomTestStringConvertible {
        let testDescription: String
        fileprivate let steps: [Step]
        /// Whether a press that may have been meant is missing: digits of a PIN begin again.
        let isLost: Bool
        let isTouched: Bool

        fileprivate init(_ name: String, isLost: Bool = false, isTouched: Bool = false, _ steps: Step...) {
            (testDescription, self.steps, self.isLost, self.isTouched) = (name, steps, isLost, isTouched)
        }
    }

    private static let down = Step(time: 1000, contacts: [five])
    private static let up = Step(time: 1100)
    private static let young = FakeTouchedScreen.pad(since: .milliseconds(760))
    private static let seven = finger(.digit(7), 2)
    private static let beside = Contact(id: 1, x: 0.1, y: 0.5)
    private static let palm = finger(.digit(5), isPalm: true)

    static let ways = [
        Way(
            "a key that is younger than a quarter of a second", Step(time: 1000, contacts: [five], screen: young),
            Step(time: 1100, screen: young)),
        Way("a slide to another key", down, Step(time: 1050, contacts: [six]), up),
        Way(
            "a slide from outside to a key", Step(time: 1000, contacts: [beside]), Step(time: 1050, contacts: [five]),
            up),
        Way("beside all keys", Step(time: 1000, contacts: [beside]), up),
        Way(
            "two fingers", isLost: true, down, Step(time: 1020, contacts: [five, seven]),
            Step(time: 1040, contacts: [seven]), up),
        Way("two fingers at once", Step(time: 1000, contacts: [five, seven]), up),
        Way("a palm", Step(time: 1000, contacts: [palm]), up),
        Way(
            "a palm that grows", isLost: true, down, Step(time: 1010, contacts: [palm]),
            Step(time: 1050, contacts: [five]), up),
        Way(
            "the screen changed under the finger", down,
            Step(time: 1100, screen: FakeTouchedScreen.pad(since: .milliseconds(1020), FakeTouchedScreen.consent))),
        Way(
            "the screen came under the finger", Step(time: 1000, contacts: [five], screen: nil),
            Step(time: 1300, contacts: [five]), Step(time: 1400)),
        Way("no screen", Step(time: 1000, contacts: [five], screen: nil), Step(time: 1100, screen: nil)),
        Way("no place", Step(time: 1000, contacts: [Contact(id: 1, x: nil, y: nil)]), up),
        Way("a finger from before", isTouched: true, down, up),
        Way("the key moved", down, Step(time: 1100, screen: FakeTouchedScreen.pad(since: .milliseconds(1050)))),
        Way("another finger took its place", down, Step(time: 1010, contacts: [finger(.digit(5), 2)]), up),
    ]

    @Test(arguments: ways) func nothingIsPressed(by way: Way) {
        let effects = Self.effects(way.steps, isTouched: way.isTouched)
        #expect(Self.keys(effects).isEmpty && Self.isLost(effects) == way.isLost, "\(effects)")
    }

    /// Contacts of a worn panel, in milliseconds: down and up in turn.
    @Test(arguments: [
        ([0, 60], 1), ([0, 60, 70, 75], 1), ([0, 60, 70, 75, 90, 95, 120, 125], 1), ([0, 60, 130, 190], 2),
        ([0, 1], 1),
    ])
    func aBounceIsNoSecondPress(times: [Int], presses: Int) {
        let steps = times.enumerated().map { index, time in
            Step(time: 1000 + time, contacts: index.isMultiple(of: 2) ? [Self.finger(.digit(5), Int32(index))] : [])
        }
        let effects = Self.effects(steps)
        #expect(Self.keys(effects).count == presses && !Self.isLost(effects))
    }

    @Test func aFingerMayRollALittle() {
        let place = FakeTouchedScreen.middle(.digit(5))
        let rolled = Contact(id: 1, x: place.x + 60 / 800.0, y: place.y)
        #expect(
            Self.keys(
                Self.effects([
                    Step(time: 1000, contacts: [Self.five]), Step(time: 1030, contacts: [rolled]), Step(time: 1060),
                ])) == [.digit(5)])
    }

    /// Two keys within less time than a hand needs are a panel's fault, or a finger beside another.
    @Test func keysFasterThanAHandAreLost() {
        let effects = Self.effects([
            Step(time: 1000, contacts: [Self.five]), Step(time: 1040), Step(time: 1050, contacts: [Self.six]),
            Step(time: 1090),
        ])
        #expect(Self.keys(effects) == [.digit(5)] && Self.isLost(effects))
    }

    @Test func typingChangesNoKey() {
        var typed = FakeTouchedScreen.pin
        typed.entry = .masked(count: 1, capacity: 6)
        let effects = Self.effects([
            Step(time: 1000, contacts: [Self.five]), Step(time: 1040),
            Step(time: 1100, contacts: [Self.six], screen: FakeTouchedScreen.pad(typed)), Step(time: 1150),
        ])
        #expect(Self.keys(effects) == [.digit(5), .digit(6)])
    }

    /// Only a key of no secret shows that it is touched.
    @Test(arguments: [true, false]) func aTouchedKeyShows(isSecret: Bool) {
        let screen = FakeTouchedScreen.pad(isSecret: isSecret)
        let effects = Self.effects([
            Step(time: 1000, contacts: [Self.five], screen: screen), Step(time: 1060, screen: screen),
        ])
        let touched = effects.compactMap { effect -> KeyPlace.Key?? in
            if case .touched(let key) = effect { .some(key?.place.key) } else { nil }
        }
        #expect(touched == (isSecret ? [] : [.digit(5), nil]))
    }

    /// A field of typed text with BACK, the other keyboard and a domain.
    private static func field(_ text: String) -> TouchKeys {
        TouchKeys(
            width: 800, height: 480, rotation: .none,
            subject: KeySubject(KioskView(.identityEntry, .ask, title: Prompt(.identityEntryTitle))),
            keys: [
                FakeTouchedScreen.key(.digit(5), .press(.back, label: Prompt(.actionBack)), 1, 1),
                FakeTouchedScreen.key(.digit(6), .domain("example.com"), 2, 1),
                FakeTouchedScreen.key(.digit(7), .otherKeyboard, 3, 1),
            ], typedCount: text.count, text: text)
    }

    /// While BACK is held it takes one character after the other away, each once it is gone, and never leaves.
    @Test func backRepeatsWhileItIsHeld() {
        var tracker = TouchTracker()
        var text = "abcd"
        var presses = 0
        _ = tracker.take([Self.five], at: .seconds(1), on: Self.field(text))
        for time in stride(from: 1000, to: 4000, by: 20) {
            for effect in tracker.tick(at: .milliseconds(time), on: Self.field(text)) {
                guard case .pressed(let press) = effect else { continue }
                #expect(press.key == .back && time >= 1500 + presses * 120)
                presses += 1
                // The machine is slow once.
                if presses != 2 { text.removeLast() }
            }
            if presses == 2, time == 2400 { text.removeLast() }
        }
        #expect(presses == 4 && text.isEmpty)
        #expect(Self.keys(tracker.take([], at: .seconds(5), on: Self.field(text))).isEmpty)
        // Held shortly it is one press, also where there is nothing to take away.
        _ = tracker.take([Self.five], at: .seconds(6), on: Self.field(""))
        #expect(tracker.tick(at: .seconds(7), on: Self.field("")).isEmpty)
        #expect(Self.keys(tracker.take([], at: .seconds(7), on: Self.field(""))) == [.back])
    }

    @Test(arguments: [
        ("alice", "@example.com"), ("alice@", "example.com"), ("alice@exa", "mple.com"), ("alice@example.com", ""),
        ("alice@web", ""), ("", "@example.com"),
    ])
    func aDomainIsTypedAsFarAsItIsMissing(text: String, typed: String) {
        let screen = Self.field(text)
        let effects = Self.effects([
            Step(time: 1000, contacts: [Self.six], screen: screen), Step(time: 1060, screen: screen),
        ])
        #expect(Self.keys(effects) == typed.map { .character($0) })
    }

    @Test func theOtherKeyboardIsNoKeyOfTheKiosk() {
        let effects = Self.effects([
            Step(time: 1000, contacts: [Self.finger(.digit(7))], screen: Self.field("")),
            Step(time: 1060, screen: Self.field("")),
        ])
        #expect(effects.contains(.otherKeyboard) && Self.keys(effects).isEmpty)
    }

    /// Water, or a card that leans on the panel.
    @Test func whatLiesOnThePanelIsPassedOver() {
        let drop = Contact(id: 9, x: 0.1, y: 0.1)
        let effects = Self.effects([
            Step(time: 1000, contacts: [drop]), Step(time: 5000, contacts: [drop, Self.five]),
            Step(time: 5060, contacts: [drop]), Step(time: 11_000, contacts: [drop]),
            Step(time: 11_100, contacts: [drop, Self.five]), Step(time: 11_160, contacts: [drop]),
        ])
        #expect(Self.keys(effects) == [.digit(5)])
        #expect(effects.count { $0 == .stuck } == 1)
    }

    @Test(arguments: DisplaySettings.Rotation.allCases)
    func aPanelMayBeMountedTurned(rotation: DisplaySettings.Rotation) {
        // As PixelCopy of the display turns the picture.
        let seen = FakeTouchedScreen.middle(.digit(6))
        let (x, y) =
            switch rotation {
            case .none: (seen.x, seen.y)
            case .right: (1 - seen.y, seen.x)
            case .half: (1 - seen.x, 1 - seen.y)
            case .left: (seen.y, 1 - seen.x)
            }
        let screen = FakeTouchedScreen.pad(rotation: rotation)
        let effects = Self.effects([
            Step(time: 1000, contacts: [Contact(id: 1, x: x, y: y)], screen: screen), Step(time: 1060, screen: screen),
        ])
        #expect(Self.keys(effects) == [.digit(6)])
    }
}
