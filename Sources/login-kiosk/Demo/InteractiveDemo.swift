// SPDX-License-Identifier: Apache-2.0

import Keypads
import KioskCore
import Logging
import ReferenceBackend
import Signage

/// The demonstration for a person at a terminal: the person is user and keypad, the rest goes by itself.
struct InteractiveDemo {
    private static let readingTime = Duration.seconds(4)

    let parts: KioskParts
    let addresses: Backend.Addresses
    let temporary: TemporaryDirectory
    /// What the scanner looks at; nil: a film of the login page.
    let source: String?
    let screens: ScreenOptions

    func run() async throws {
        let screens = try KioskScreens(screens, logger: parts.logger)
        let mailbox = try DemoMailbox(addresses)
        let mails = LastingWork { try await mailbox.followAll() }
        let keypad = ConsoleKeypad.standard()
        let feed = try ScannerFeed(source: source ?? addresses.publicURL, in: temporary, logger: parts.logger)
        let kiosk = WholeKiosk(
            parts, feed: feed, keypad: keypad, screen: screens.screen,
            errands: [.login, .oneTimePassword, .identities],
            surroundings: [mails] + screens.work(previewsFrom: feed.scanner))
        print(introduction)
        // A moment to read before the kiosk takes the screen.
        try await Task.sleep(for: InteractiveDemo.readingTime)
        try await kiosk.run()
        await screens.close()
    }

    private var introduction: String {
        let page = screens.web.map { "The screen is also a page: http://127.0.0.1:\($0)/\n" } ?? ""
        let camera =
            source.map { "The camera looks at \($0)." }
            ?? "A browser is open at that page, and a simulated camera films it."
        return """
            The reference backend serves \(addresses.publicURL)
            \(camera)
            You are the user at the kiosk: this terminal is its screen and its keypad.
            Type any e-mail address: its mail is read for you, and its link followed.
            \(page)After a login the browser shows a new code. Ctrl-C ends the demonstration.

            """
    }
}
