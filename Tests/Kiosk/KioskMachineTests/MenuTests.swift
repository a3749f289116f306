// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("The menu")
struct MenuTests {
    static func scanning(
        _ services: [String] = [Samples.domain], tasks: [KioskTask] = [.login, .oneTimePassword, .registrationCode]
    ) -> Visit {
        Visit(KioskMachine(trustsAnything: true, services: services, tasks: tasks))
    }

    @Test(arguments: ["menu", "1"]) func aKeyOfAnyPadOpensIt(key: String) {
        let menu = Self.scanning().play(
            """
            keys 0 actionTypeCode + 1 actionMenu + 2 actionLanguage
            key \(key) => stopTimer notice, startTimer typing 60s
            wait menu, keys 1 taskLogin + 2 taskOneTimePassword + 3 taskRegistrationCode + back actionBack
            """)
        #expect(!menu.machine.isIdle)
        Self.scanning(tasks: [.registrationCode]).play("key \(key); keys 1 taskRegistrationCode + back actionBack")
    }

    @Test(arguments: [(["a.example"], [KioskTask]()), ([], [.oneTimePassword])])
    func withNothingToOfferThereIsNone(services: [String], tasks: [KioskTask]) {
        let visit = Self.scanning(services, tasks: tasks).play("key menu 1 => nothing; wait scan")
        #expect(!visit.view.actions.contains { $0.key == .digit(1) })
    }

    @Test(arguments: ["key back", "key enter", "key clear", "key 0", "key 9", "type x", "key menu"])
    func noOtherKeyBeginsAnything(key: String) {
        Self.scanning().play("key menu; \(key) -> no openTask; wait \(key == "key back" ? "scan" : "menu")")
    }

    /// A tenth entry has no digit, so with several pages the numbers count on each page.
    @Test func withMoreEntriesThanDigitsANumberIsThatOfThePage() {
        let tasks = KioskTask.allCases.filter { !$0.isDoneAtDoors } + [.oneTimePassword, .registrationCode]
        var visit = Self.scanning(tasks: tasks).play("key menu")
        var titles: [PromptKey] = []
        let rest = tasks.count - 6
        for page in [6, rest] {
            #expect(visit.view.actions.prefix(page).map(\.key) == (1...UInt8(page)).map { .digit($0) })
            titles += visit.view.actions.prefix(page).map(\.label.key)
            #expect(visit.view.actions.dropFirst(page).map(\.key) == [.menu, .back])
            visit.play("key \(page + 1) => stopTimer notice, startTimer typing")
            visit = visit.play("key menu")
        }
        #expect(titles == tasks.map(\.title))
        visit.play("key menu \(rest) -> openTask registrationCode 0")
    }

    @Test func isLeft() {
        Self.scanning().play(
            """
            key menu; time typing; wait scan
            or
            # A code in view goes first.
            key menu; qr login -> openSession; wait connecting
            or
            # A login goes on with its code.
            key menu 1; wait codeEntry
            or
            # A resting screen only wakes.
            time rest; key menu => startTimer rest 300s; wait scan
            """)
    }

    @Test func theServiceIsChosenWhereThereAreSeveral() {
        Self.scanning(["a.example", "b.example"]).play(
            """
            key menu; key 2 => stopTimer notice, startTimer typing; wait serviceChoice
            key 2; key enter => stopTimer typing, openTask oneTimePassword 1, startTimer session 60s, \
            perform readService
            """)
    }
}
