// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import Testing
@testable import ReferenceBackend

/// What only the classic server has about a login at the kiosk, by its keys and screens.
@Suite(.timeLimit(.minutes(5))) struct KioskLoginTests {
    @Test(arguments: DialectFlow.dialects) func theBrowserIsLoggedOut(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.enrol()
            let browser = try await client.session()
            try await KioskPerson.unhurried(client).run { person in
                #expect(try await person.logIn(browser, at: client) == "alice@example.com")
                let offers = try #require(person.screen.views.last).actions.contains(
                    ViewAction(.digit(1), .actionLogout))
                #expect(offers == DialectFlow.logout.isThere(in: dialect))
                guard offers else { return }
                #expect(try await browser.page?.get("/protected").status == 200)
                person.keypad.press(.digit(1))
                try await person.screen.view { $0.title == Prompt(.loggedOut) }
                #expect(try await browser.page?.get("/protected").status == 401)
            }
        }
    }

    @Test(arguments: [Backend.Dialect.milagro, .milagroWithoutPermits])
    func anAccessNumberIsTyped(_ dialect: Backend.Dialect) async throws {
        try await withClient(dialect) { client in
            _ = try await client.enrol()
            let page = Browser(client.backend)
            let number = try #require(TypedCodeTests.code(on: try await page.get("/")))
            let browser = WaitingBrowser(code: try await client.code(on: page), page: page, webOTT: "")
            try await KioskPerson.unhurried(client).run { person in
                // The last digit tells that one was mistyped.
                try await person.screen.view(at: .scan)
                person.keypad.press(.digit(0))
                let digit = try #require(number.last?.wholeNumberValue)
                try await person.type("\(number.dropLast())\((digit + 1) % 10)", at: .codeEntry)
                try await person.outcome(.codeMistyped)
                #expect(try await person.logIn(browser, at: client, typed: number) == "alice@example.com")
                try await person.outcome(.success)
            }
        }
    }
}
