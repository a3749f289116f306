// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import KioskPorts
import SimulatedCamera

/// The demonstration without a person: it does what a new user does at browser, mail program and keypad, step by step.
///
/// It knows the kiosk by its screen alone, the backend by its pages and mails, and the PIN because it makes it up.
struct UnattendedDemo: Sendable {
    /// Far longer than all steps take on a slow machine.
    static let limit = Duration.seconds(180)
    private static let user = "alice@example.com"

    private let stage: DemoStage
    private let addresses: DemoStage.Addresses
    private let page: FilmedPage
    private let mailbox: DemoMailbox
    private let terminal: DemoTerminal
    private let record: DemoRecord

    init(
        stage: DemoStage, addresses: DemoStage.Addresses, temporary: TemporaryDirectory, record: DemoRecord
    ) throws {
        page = try FilmedPage(url: addresses.site, pipe: temporary.makePipe("film.y4m"))
        mailbox = try DemoMailbox(addresses.outbox)
        terminal = try DemoTerminal(record)
        self.stage = stage
        self.addresses = addresses
        self.record = record
    }

    /// Runs the kiosk while the steps are done.
    ///
    /// - Throws: ``DemoFailure`` that names the failed step, or reports that the kiosk has ended.
    func perform() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await page.run() }
            group.addTask {
                try await stage.runKiosk(
                    addresses, source: page.source, terminal: terminal.device, heard: terminal.show)
            }
            group.addTask { try await performWithinLimit() }
            defer { group.cancelAll() }
            // Film and kiosk have no end.
            try await group.next()
        }
    }

    private func performWithinLimit() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.performAllSteps() }
            group.addTask {
                try await Task.sleep(for: UnattendedDemo.limit)
                throw DemoFailure("'\(record.underWay ?? "")' was not over after \(UnattendedDemo.limit.text) in all")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        record.complete()
    }

    private func performAllSteps() async throws {
        let pin = (0..<4).map { _ in UInt8.random(in: 1...9) }
        try await openLoginPage()
        try await register(pin)
        try await record.step("the PIN logs the browser in") {
            try await logIn { try await typePIN(pin) }
        }
        try await record.step("the browser logs out and shows a new code") {
            try await page.browser.logOut()
            try await page.camera.look()
            try await terminal.pressEnter()
            record.say("browser", "is logged out and shows a new code")
        }
        try await record.step("the kiosk reads the new code") {
            try await terminal.wait(for: .consentTitle)
            try await terminal.pressEnter()
            try await terminal.wait(for: .pinTitle)
        }
        try await record.step("a wrong PIN is refused") {
            try await typePIN(pin.dropLast() + [pin[3] % 9 + 1])
            try await terminal.wait(for: .wrongPIN)
            try await terminal.wait(for: .pinTitle)
        }
        try await record.step("the right PIN still logs in") {
            try await logIn { try await typePIN(pin) }
        }
    }

    private func openLoginPage() async throws {
        try await record.step("the browser opens the login page") {
            try await page.camera.look()
            record.say("browser", "shows a code; the camera films it")
        }
        try await record.step("the kiosk reads the code and asks for consent") {
            try await terminal.wait(for: .consentTitle)
        }
    }

    private func register(_ pin: [UInt8]) async throws {
        let user = UnattendedDemo.user
        try await record.step("a new user types an e-mail address") {
            try await terminal.pressEnter()
            try await terminal.wait(for: .identityEntryTitle)
            try await terminal.type(user)
            try await terminal.pressEnter()
            try await terminal.wait(for: .confirmationTitle)
        }
        try await record.step("the activation mail comes and its link is followed") {
            let link = try await mailbox.link(to: user)
            record.say("mail", "has come for \(user)")
            try await mailbox.follow(link)
            record.say("mail", "its link is followed")
        }
        try await record.step("the kiosk fetches both shares of the secret") {
            try await terminal.pressEnter()
            try await terminal.wait(for: .newPINTitle)
        }
        try await record.step("the user chooses a PIN and types it twice") {
            try await typePIN(pin)
            try await terminal.wait(for: .newPINAgainTitle)
            try await typePIN(pin)
            try await terminal.wait(for: .pinTitle)
        }
    }

    private func typePIN(_ digits: [UInt8]) async throws {
        try await terminal.type(digits)
        try await terminal.pressEnter()
    }

    /// From the PIN to the page that only a logged-in user sees, on both sides at once as in life.
    private func logIn(_ typePIN: @Sendable () async throws -> Void) async throws {
        async let login: Void = waitForLogin()
        try await typePIN()
        try await terminal.wait(for: .success)
        try await login
    }

    private func waitForLogin() async throws {
        var poll = StatusPoll()
        while true {
            try Task.checkCancellation()
            switch try await poll.next(page.browser.status(after:)).state {
            case .new, .scanned, .user: continue
            case .expired: throw DemoFailure("the code has expired")
            case .authenticated:
                guard try await page.browser.protectedPage().contains(UnattendedDemo.user) else {
                    throw DemoFailure("the protected page greets another user")
                }
                return record.say("browser", "is logged in, the protected page greets \(UnattendedDemo.user)")
            }
        }
    }
}
