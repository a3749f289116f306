// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinClient
import Synchronization

/// One login: a person at a page, or none, and a kiosk.
struct SwarmVisit: Sendable {
    /// The longest login: longer than a kiosk waits for a backend that is gone.
    private static let limit = Duration.seconds(90)
    /// The longest time from the outcome to the page's greeting.
    private static let knowledgeLimit = Duration.seconds(15)

    let device: LoginDevice
    /// Nil when the device logs itself in.
    let page: SwarmPage?
    let typesWrongPIN: Bool
    /// The time that a person at a page takes until the last digit.
    let typing: Duration
    /// The time at which the load began.
    let start: ContinuousClock.Instant

    func run(within limits: TimeLimits) async -> SwarmLogin {
        let begins = secondsUntil(.now)
        let isTyped = Mutex(false)
        let done = try? await limits.within(Self.limit) { await logIn { isTyped.withLock { $0 = true } } }
        return done
            ?? SwarmLogin(
                begins: begins, ends: secondsUntil(.now), user: device.user,
                typedWrongPIN: typesWrongPIN && isTyped.withLock { $0 }, told: .nothing, hasPage: page != nil)
    }

    /// - Parameter beforeLastDigit: called when the last digit is about to be typed.
    private func logIn(beforeLastDigit: @Sendable () -> Void) async -> SwarmLogin {
        let begins = secondsUntil(.now)
        var login = SwarmLogin(
            begins: begins, ends: 0, user: device.user, typedWrongPIN: false, told: .tryAgain("no_page"),
            hasPage: page != nil)
        let code = await page?.loadLoginCode()
        guard page == nil || code != nil else {
            login.ends = secondsUntil(.now)
            return login
        }
        login.pageSession = page.map { _ in secondsUntil(.now) - begins }
        let known: SwarmPage.Greeting? = await withTaskGroup(of: SwarmPage.Greeting?.self) { polls in
            defer { polls.cancelAll() }
            if let page { polls.addTask { await page.waitForGreeting() } }
            await typePIN(code, into: &login, beforeLastDigit: beforeLastDigit)
            guard let page else { return nil }
            return await greeting(of: page, after: login.told, &polls)
        }
        if let known {
            login.greeted = known.user
            login.knowledge = max(0, secondsUntil(known.at) - login.ends)
        }
        return login
    }

    private func typePIN(
        _ code: AccessCode?, into login: inout SwarmLogin, beforeLastDigit: @Sendable () -> Void
    ) async {
        var digit: Double?
        do throws(MPinError) {
            try await device.begin(code)
            if page != nil { try? await Task.sleep(for: typing) }
            beforeLastDigit()
            login.typedWrongPIN = typesWrongPIN
            digit = secondsUntil(.now)
            try await device.finish(code, typingWrongPIN: typesWrongPIN)
            login.told = .loggedIn
        } catch { login.told = SwarmLogin.Told(error) }
        login.ends = secondsUntil(.now)
        login.outcome = digit.map { login.ends - $0 }
    }

    /// Waits for the page to learn of a login; after another outcome it is asked once.
    private func greeting(
        of page: SwarmPage, after told: SwarmLogin.Told, _ polls: inout TaskGroup<SwarmPage.Greeting?>
    ) async -> SwarmPage.Greeting? {
        if told == .loggedIn {
            polls.addTask {
                try? await Task.sleep(for: Self.knowledgeLimit)
                return nil
            }
            if let known = await polls.next() ?? nil { return known }
        }
        // The browser's poll ends, and it polls once more.
        polls.cancelAll()
        for await known in polls { if let known { return known } }
        return await page.currentGreeting()
    }

    /// Seconds from the beginning of the load.
    private func secondsUntil(_ instant: ContinuousClock.Instant) -> Double { (instant - start) / .seconds(1) }
}
