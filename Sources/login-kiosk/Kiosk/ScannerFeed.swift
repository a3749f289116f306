// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import HostIntegration
import KioskCore
import LinuxSystem
import Logging
import ScannerLink

/// The scanner's process and whatever has to stand in front of its camera: nothing, or for a web page a browser, the
/// person at it, and the simulated camera that films it, or for a sensor the program that films it.
struct ScannerFeed {
    let scanner: ScannerProcess
    private(set) var surroundings: [LastingWork]

    /// - Parameters:
    ///   - source: in the grammar of `--source`.
    ///   - directory: where the pipe of a film is made.
    init(source: String, in directory: TemporaryDirectory, logger: Logger) throws {
        switch try SourceOptions.specification(of: source) {
        case .page(let url):
            let page = try FilmedPage(url: url, in: directory)
            try self.init(filming: page, logger: logger) { scanner in
                let browser = AttendedBrowser(page: page, scanner: scanner, logger: logger)
                return LastingWork { await browser.run() }
            }
        case .sensor(let request):
            let sensor = try FilmedSensor(request, in: directory, logger: logger)
            try self.init(
                scanning: sensor.source, surroundings: [LastingWork { await sensor.program.run() }], logger: logger
            ) { trouble in
                guard let complaint = sensor.program.lastComplaint else { return trouble }
                return ScannerTrouble(trouble.kind, "\(trouble); \(SensorRequest.program) said: \(complaint)")
            }
        default: try self.init(scanning: source, surroundings: [], logger: logger)
        }
    }

    /// - Parameter person: makes whoever loads the page and reloads it; nil when that is done elsewhere.
    init(
        filming page: FilmedPage, logger: Logger, attendedBy person: ((ScannerProcess) -> LastingWork)? = nil
    ) throws {
        try self.init(
            scanning: page.source, surroundings: [LastingWork { try await page.run() }], logger: logger)
        if let person { surroundings.append(person(scanner)) }
    }

    /// - Parameter source: what the scanner's process is told; it knows no web page.
    private init(
        scanning source: String, surroundings: [LastingWork], logger: Logger,
        explaining explain: @escaping @Sendable (ScannerTrouble) -> ScannerTrouble = ScannerFeed.addHolders
    ) throws {
        let found: String?
        do throws(FileFault) { found = try ScannerExecutable.path() } catch { throw Complaint.make(error) }
        guard let executable = found else {
            throw Complaint.make(
                "login-kiosk-scanner is not beside this program", hint: "build or install both: make build",
                status: .configuration)
        }
        scanner = ScannerProcess(executable: executable, source: source, logger: logger, explaining: explain)
        self.surroundings = surroundings
    }

    /// Who has a camera that is in use: the confined process cannot look at others.
    @Sendable private static func addHolders(_ trouble: ScannerTrouble) -> ScannerTrouble {
        guard trouble.kind == .inUse, let holders = DeviceHolder.ofCameras() else { return trouble }
        return ScannerTrouble(.inUse, "\(trouble); \(holders)")
    }
}
