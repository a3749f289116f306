// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface

/// The demonstration for a person at a terminal: the person is user and keypad, the rest goes by itself.
struct InteractiveDemo {
    private static let readingTime = Duration.seconds(4)

    let stage: DemoStage
    let addresses: DemoStage.Addresses
    let temporary: TemporaryDirectory
    /// What the kiosk looks at; nil: a film of the login page.
    let source: String?
    let screens: ScreenOptions

    func run() async throws {
        let mailbox = try DemoMailbox(addresses.outbox)
        let page = try source == nil ? FilmedPage(url: addresses.site, pipe: temporary.makePipe("film.y4m")) : nil
        print(introduction)
        // A moment to read before the kiosk takes the screen.
        try await Task.sleep(for: InteractiveDemo.readingTime)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await mailbox.followAll() }
            if let page {
                group.addTask { try await page.run() }
                let person = AttendedBrowser(page: page, logger: stage.logger, complain: stage.complain)
                group.addTask {
                    await person.run()
                    try Task.checkCancellation()
                }
            }
            group.addTask { try await stage.runKiosk(addresses, source: page?.source ?? source ?? "", screens) }
            defer { group.cancelAll() }
            // The others have no end.
            try await group.next()
        }
    }

    private var introduction: String {
        let page = screens.web.map { "The screen is also a page: http://127.0.0.1:\($0)/\n" } ?? ""
        let camera =
            source.map { "The camera looks at \($0)." }
            ?? "A browser is open at that page, and a simulated camera films it."
        return """
            The reference backend serves \(addresses.site)
            \(camera)
            You are the user at the kiosk: this terminal is its screen and its keypad.
            Type any e-mail address: its mail is read for you, and its link followed.
            \(page)After a login the browser shows a new code. Ctrl-C ends the demonstration.

            """
    }
}
