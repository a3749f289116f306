// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import CommandLineInterface
import HostIntegration
import KioskPorts
import LinuxSystem
import Logging
import ScannerLink

/// The scanner's process and its surroundings: nothing, or for a sensor the program that films.
struct ScannerFeed {
    let scanner: ScannerProcess
    let surroundings: [LastingWork]

    /// - Parameters:
    ///   - source: in the grammar of `--source`.
    ///   - directory: the directory for the pipe of a film.
    init(source: String, in directory: TemporaryDirectory, logger: Logger) throws {
        switch try SourceOptions.specification(of: source) {
        case .page(let address):
            throw Complaint.make(
                "\(address): this is a page, and the kiosk has cameras, pictures and films",
                hint: """
                    film a login page of the reference backend: login-kiosk demo film \(address) PIPE, and look with \
                    --source y4m:PIPE
                    """,
                status: .usage)
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

    /// - Parameter source: for the scanner's process, which starts no program.
    private init(
        scanning source: String, surroundings: [LastingWork], logger: Logger,
        explaining explain: @escaping @Sendable (ScannerTrouble) -> ScannerTrouble = ScannerFeed.addHolders
    ) throws {
        let found: String?
        do throws(FileFault) { found = try CompanionProgram.scanner.path() } catch { throw Complaint.make(error) }
        guard let executable = found else {
            throw Complaint.make(
                "login-kiosk-scanner is not beside this program", hint: CompanionProgram.scanner.remedy,
                status: .configuration)
        }
        scanner = ScannerProcess(executable: executable, source: source, logger: logger, explaining: explain)
        self.surroundings = surroundings
    }

    /// Runs all of it until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            for work in surroundings { group.addTask { try? await work.run() } }
            await scanner.run()
        }
    }

    /// Adds the process that has a camera in use: the confined scanner cannot look at other processes.
    @Sendable private static func addHolders(_ trouble: ScannerTrouble) -> ScannerTrouble {
        guard trouble.kind == .inUse, let holders = DeviceHolder.ofCameras() else { return trouble }
        return ScannerTrouble(.inUse, "\(trouble); \(holders)")
    }
}
