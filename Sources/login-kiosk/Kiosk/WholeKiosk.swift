// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import HostIntegration
import KioskCore
import KioskRuntime
import Logging
import LoginValues
import ScannerLink
import ServiceLifecycle
import Signage
import UnixSignals

/// A whole kiosk: parts, scanner, keypad and screen, run until it is told to stop or has nothing left to do.
struct WholeKiosk {
    private let kiosk: Kiosk
    private let scanner: ScannerProcess
    private let logger: Logger
    /// Whatever stands in front of the camera.
    private let surroundings: [LastingWork]

    /// - Parameter source: what the scanner looks at, in the grammar of its `--source`.
    init(
        _ parts: KioskParts, source: String, keypad: any Keypad, screen: any KioskScreen,
        surroundings: [LastingWork] = []
    ) throws {
        guard let executable = ScannerExecutable.path() else {
            throw Complaint.make(
                "login-kiosk-scanner is not beside this program", hint: "build or install both: make build",
                status: .configuration)
        }
        scanner = ScannerProcess(executable: executable, source: source, logger: parts.logger)
        kiosk = Kiosk(
            sdk: parts.sdk, trust: parts.trust, keypad: keypad, screen: screen, symbols: scanner, logger: parts.logger)
        logger = parts.logger
        self.surroundings = surroundings
    }

    /// - Parameters:
    ///   - story: when given, the kiosk stops as soon as it is over.
    ///   - signals: none when a group of services around this one listens to them.
    func run(story: LastingWork? = nil, stoppedBy signals: [UnixSignal]) async throws {
        let (kiosk, scanner) = (kiosk, scanner)
        // Stopped in reverse order: the kiosk gives its session up while everything else still works.
        var services = surroundings.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) }
        services.append(
            .init(service: LastingWork { await scanner.run() }, successTerminationBehavior: .ignore))
        services.append(
            .init(
                service: LastingWork { await kiosk.run() }, successTerminationBehavior: .gracefullyShutdownGroup))
        if let story {
            services.append(
                .init(
                    service: story, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup))
        }
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: signals, logger: logger)
        ).run()
    }
}
