// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("The menu")
struct MenuTests {
    static let typing = KioskAction.startTimer(.typing, KioskTiming.typing, .none)

    static func scanning(
        _ services: [String] = [Samples.domain], errands: [Errand] = [.login, .oneTimePassword, .quickCode]
    ) -> KioskMachine {
        KioskMachine(trustsAnything: true, services: services, errands: errands)
    }

    @Test(arguments: [Key.menu, .digit(1)])
    func aKeyOfAnyPadOpensIt(key: Key) {
        var machine = Self.scanning()
        #expect(machine.view.actions.map(\.key) == [.digit(0), .digit(1), .digit(2)])
        #expect(machine.press(key) == [.stopTimer(.notice), Self.typing])
        #expect(machine.view.stage == .menu && !machine.isIdle)
        #expect(
            machine.view.actions == [
                ViewAction(.digit(1), .errandLogin), ViewAction(.digit(2), .errandOneTimePassword),
                ViewAction(.digit(3), .errandQuickCode), ViewAction(.back, .actionBack),
            ])
    }

    @Test func onlyWhatIsOfferedIsInIt() {
        var machine = Self.scanning(errands: [.quickCode])
        _ = machine.keyPressed(.menu)
        #expect(machine.view.actions.map(\.label) == [Prompt(.errandQuickCode), Prompt(.actionBack)])
    }

    @Test(arguments: [(["a.example"], [Errand]()), ([], [.oneTimePassword])])
    func withNothingToOfferThereIsNone(services: [String], errands: [Errand]) {
        var machine = Self.scanning(services, errands: errands)
        #expect(!machine.view.actions.contains { $0.key == .digit(1) })
        #expect(machine.keyPressed(.menu) == [] && machine.keyPressed(.digit(1)) == [])
        #expect(machine.view.stage == .scan)
    }

    @Test(arguments: [Key.back, .enter, .clear, .digit(0), .digit(9), .character("x"), .menu])
    func noOtherKeyBeginsAnything(key: Key) {
        var machine = Self.scanning()
        _ = machine.keyPressed(.menu)
        let actions = machine.press(key)
        #expect(!actions.contains { if case .openErrand = $0 { true } else { false } })
        #expect(machine.view.stage == (key == .back ? .scan : .menu))
    }

    /// A tenth entry has no digit, so with several pages the numbers count on each page.
    @Test func withMoreEntriesThanDigitsANumberIsThatOfThePage() {
        let errands = Errand.allCases.filter { !$0.isDoneAtDoors } + [.oneTimePassword, .quickCode]
        var machine = Self.scanning(errands: errands)
        _ = machine.keyPressed(.menu)
        var titles: [PromptKey] = []
        let rest = errands.count - 6
        for page in [6, rest] {
            #expect(machine.view.actions.prefix(page).map(\.key) == (1...UInt8(page)).map { .digit($0) })
            titles += machine.view.actions.prefix(page).map(\.label.key)
            #expect(machine.view.actions.dropFirst(page).map(\.key) == [.menu, .back])
            var other = machine
            #expect(other.keyPressed(.digit(UInt8(page + 1))) == [.stopTimer(.notice), Self.typing])
            _ = machine.keyPressed(.menu)
        }
        #expect(titles == errands.map(\.title))
        _ = machine.keyPressed(.menu)
        #expect(machine.keyPressed(.digit(UInt8(rest))).contains(.openErrand(.one, .quickCode, service: 0)))
    }

    @Test func timeLeavesIt() {
        var machine = Self.scanning()
        _ = machine.keyPressed(.menu)
        _ = machine.timerFired(.typing, session: .none)
        #expect(machine.view.stage == .scan)
    }

    @Test func aCodeInViewGoesFirst() {
        var machine = Self.scanning()
        _ = machine.keyPressed(.menu)
        #expect(machine.symbolSeen(Samples.login()).contains(.openSession(.one, Samples.handle)))
        #expect(machine.view.stage == .connecting)
    }

    @Test func aRestingScreenOnlyWakes() {
        var machine = Self.scanning()
        _ = machine.timerFired(.rest, session: .none)
        #expect(machine.keyPressed(.menu) == [Samples.wake])
        #expect(machine.view.stage == .scan)
    }

    @Test func theServiceIsChosenWhereThereAreSeveral() {
        var machine = Self.scanning(["a.example", "b.example"])
        _ = machine.keyPressed(.menu)
        #expect(machine.keyPressed(.digit(2)) == [.stopTimer(.notice), Self.typing])
        #expect(machine.view.stage == .serviceChoice)
        _ = machine.keyPressed(.digit(2))
        #expect(
            machine.keyPressed(.enter) == [
                .stopTimer(.typing), .openErrand(.one, .oneTimePassword, service: 1),
                .startTimer(.session, KioskTiming.session, .one), .perform(.readService, .one),
            ])
    }

    @Test func aLoginGoesOnWithItsCode() {
        var machine = Self.scanning()
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(1))
        #expect(machine.view.stage == .codeEntry)
    }
}
