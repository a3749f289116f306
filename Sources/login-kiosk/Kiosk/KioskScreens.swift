// SPDX-License-Identifier: Apache-2.0

import KioskCore
import Logging
import ScannerLink
import ServiceLifecycle
import Signage
import WebScreen

/// All screens of a kiosk: the terminal, and a page for a browser where it is asked for.
struct KioskScreens {
    /// Keys on the page, if there are any.
    let keypad: (any Keypad)?
    private let console: ConsoleScreen
    private let page: PageScreen?
    private let all: AllScreens
    private let addressFile: String?
    private let logger: Logger

    init(_ options: ScreenOptions, logger: Logger) {
        let languages = options.languages
        console = ConsoleScreen.standard(isPlain: options.plain, languages: languages)
        page = options.web.map {
            PageScreen(port: Int($0), languages: languages, hasKeys: options.webKeys != nil, logger: logger)
        }
        keypad = page?.keypad
        all = AllScreens([console] + (page.map { [$0] } ?? []))
        addressFile = options.webKeys
        self.logger = logger
    }

    var screen: any KioskScreen { all }

    /// What goes on as long as the kiosk runs. A screen that cannot be had is reported once, and the kiosk goes on with the
    /// others.
    func work(previewsFrom scanner: ScannerProcess) -> [LastingWork] {
        let all = all
        let lanes = LastingWork(stopsByItself: true) {
            await withGracefulShutdownHandler {
                await all.run()
            } onGracefulShutdown: {
                all.end()
            }
        }
        guard let page else { return [lanes] }
        let (logger, addressFile) = (logger, addressFile)
        return [
            .dispensable("web screen", logger) { try await page.run() },
            .dispensable("file with the web screen's address", logger) {
                // Why there is no address was said already.
                guard let address = try? await page.address else { return }
                logger.notice("web screen", metadata: ["address": "\(address.prefix { $0 != "#" })"])
                if let addressFile { try PrivateFile.write(address + "\n", to: addressFile) }
            },
            LastingWork {
                for await isWatched in page.audience { scanner.wantsPreviews(isWatched) }
                try await gracefulShutdown()
            },
            LastingWork {
                for await picture in scanner.previews { page.show(picture) }
                try await gracefulShutdown()
            },
            lanes,
        ]
    }

    /// Gives the terminal back.
    func close() async { await console.close() }
}

extension LastingWork {
    /// Work that a kiosk can do without: its failure is reported once, and nothing stops for it.
    static func dispensable(
        _ name: String, _ logger: Logger, _ work: @escaping @Sendable () async throws -> Void
    ) -> LastingWork {
        LastingWork(stopsByItself: true) {
            do { try await work() } catch is CancellationError {} catch {
                logger.error("\(name) is missing", metadata: ["reason": "\(error)"])
            }
            try await gracefulShutdown()
        }
    }
}
