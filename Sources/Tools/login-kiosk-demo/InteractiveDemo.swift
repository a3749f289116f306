// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface

/// The demonstration for a person at a terminal. The person is user and keypad; everything else runs by itself.
struct InteractiveDemo {
    /// The time from the kiosk's first screen to the browser's code.
    private static let firstScreenTime = Duration.seconds(2)

    let stage: DemoStage
    let addresses: DemoStage.Addresses
    let temporary: TemporaryDirectory
    /// The kiosk's frame source; nil for a film of the login page.
    let source: String?
    let screens: ScreenOptions

    func run() async throws {
        do { try await perform() } catch {
            // Another error after cancellation does not matter: the person has left.
            try Task.checkCancellation()
            throw error
        }
    }

    private func perform() async throws {
        let mailbox = try DemoMailbox(addresses.outbox)
        let page = try source == nil ? FilmedPage(url: addresses.site, pipe: temporary.makePipe("film.y4m")) : nil
        try Output.write(introduction)
        try await TerminalKey.wait()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await mailbox.followAll {
                    stage.note("the mail to \($0) was opened for you, and its link followed")
                }
            }
            if let page {
                group.addTask { try await page.run() }
                let person = AttendedBrowser(page: page, logger: stage.logger, complain: stage.note)
                group.addTask {
                    try await Task.sleep(for: InteractiveDemo.firstScreenTime)
                    await person.run()
                    try Task.checkCancellation()
                }
            }
            group.addTask { try await stage.runKiosk(addresses, source: page?.source ?? source ?? "", screens) }
            defer { group.cancelAll() }
            // The other tasks never end.
            try await group.next()
        }
    }

    private var introduction: String {
        let page = screens.web.map { "The kiosk's screen is also a page: http://127.0.0.1:\($0)/\n" } ?? ""
        let camera =
            source.map { "The kiosk's camera looks at \($0)." }
                ?? """
                A browser without a window opens this page, and a simulated camera films it.
                After a login, and after "Not me", it shows a new code.
                """
        return """
            You are the person at the kiosk. This terminal is its screen and its keypad.

            The login page: \(addresses.site)
            \(camera)
            Open the page in a browser of your own to log that in, too: press 0 at the
            kiosk and type the number below the QR code.
            \(page)
            Type any e-mail address. Its mail is opened for you, and the link followed.
            To leave, press Ctrl-C.

            Press any key to begin.

            """
    }
}
