// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskCore
import KioskRuntime
import Logging
import ScannerLink
import ServiceLifecycle

/// A whole kiosk: parts, scanner, keypad and screen, run until it is told to stop or has nothing left to do.
struct WholeKiosk {
    private let kiosk: Kiosk
    private let scanner: ScannerProcess
    private let surroundings: [LastingWork]
    private let logger: Logger

    /// - Parameter surroundings: what else goes on as long as the kiosk runs.
    init(
        _ parts: KioskParts, feed: ScannerFeed, keypad: any Keypad, screen: any KioskScreen,
        localLogins: [LocalLogin] = [], errands: [Errand] = [], signing: DocumentSigning? = nil,
        policy: KioskPolicy = KioskPolicy(), inUse: InUseLock? = nil,
        surroundings: [LastingWork] = []
    ) {
        kiosk = Kiosk(
            sdk: parts.sdk, trust: parts.trust, keypad: keypad, screen: screen, symbols: feed.scanner,
            localLogins: localLogins, errands: errands, signing: signing, policy: policy,
            lostIdentities: parts.lostIdentities, isClockSet: { ClockCheck.isPlausible(.ofThisMachine()) },
            inUse: { inUse?.set($0) }, logger: parts.logger)
        scanner = feed.scanner
        self.surroundings = feed.surroundings + surroundings
        logger = parts.logger
    }

    /// - Parameters:
    ///   - story: when given, the kiosk stops as soon as it is over.
    ///   - heedsSignals: false when a group of services around this one listens to them.
    func run(story: LastingWork? = nil, heedsSignals: Bool = false) async throws {
        let (kiosk, scanner) = (kiosk, scanner)
        // Stopped in reverse order: the kiosk gives its session up while everything else still works.
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = heedsSignals ? [.stopSignals] : []
        services += surroundings.map { .init(service: $0) }
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
            configuration: ServiceGroupConfiguration(services: services, logger: logger)
        ).run()
    }
}
