// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import HostIntegration
import Logging
import ScannerLink

/// The scanner's process and whatever has to stand in front of its camera: nothing, or for a web page a browser, the
/// person at it, and the simulated camera that films it.
struct ScannerFeed {
    let scanner: ScannerProcess
    let surroundings: [LastingWork]

    /// - Parameters:
    ///   - source: in the grammar of `--source`.
    ///   - directory: where the pipe of a film is made.
    init(source: String, in directory: TemporaryDirectory, logger: Logger) throws {
        guard case .page(let url) = try SourceOptions.specification(of: source) else {
            try self.init(scanning: source, surroundings: [], logger: logger)
            return
        }
        let page = try FilmedPage(url: url, in: directory)
        let browser = AttendedBrowser(page: page, logger: logger)
        try self.init(filming: page, attendedBy: LastingWork { await browser.run() }, logger: logger)
    }

    /// - Parameter person: whoever loads the page and reloads it; nil when that is done elsewhere.
    init(filming page: FilmedPage, attendedBy person: LastingWork? = nil, logger: Logger) throws {
        try self.init(
            scanning: page.source, surroundings: [LastingWork { try await page.run() }] + [person].compactMap(\.self),
            logger: logger)
    }

    /// - Parameter source: what the scanner's process is told; it knows no web page.
    private init(scanning source: String, surroundings: [LastingWork], logger: Logger) throws {
        guard let executable = ScannerExecutable.path() else {
            throw Complaint.make(
                "login-kiosk-scanner is not beside this program", hint: "build or install both: make build",
                status: .configuration)
        }
        scanner = ScannerProcess(executable: executable, source: source, logger: logger)
        self.surroundings = surroundings
    }
}
