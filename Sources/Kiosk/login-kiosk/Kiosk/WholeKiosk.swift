// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import HostIntegration
import KioskMachine
import KioskPorts
import KioskRuntime
import Logging
import ScannerLink
import ServiceLifecycle

/// A whole kiosk: parts, scanner, keypad and screen. It runs until it is told to stop or has nothing left to do.
struct WholeKiosk {
    private let kiosk: Kiosk
    private let scanner: ScannerProcess
    private let surroundings: [LastingWork]
    private let reload: SettingsReload?
    private let logger: Logger

    /// - Parameters:
    ///   - surroundings: further work that accompanies the kiosk.
    ///   - observers: get the kiosk's condition.
    ///   - report: reports the kiosk's state to a service manager; nil without one.
    ///   - reload: reads the settings again on `SIGHUP`; nil when that signal stops the kiosk.
    init(
        _ parts: KioskParts, feed: ScannerFeed, keypad: any Keypad, screen: any KioskScreen, features: KioskFeatures,
        surroundings: [LastingWork], observers: [any KioskObserver], report: ServiceReport?, reload: SettingsReload?
    ) {
        let memory = IdleMemory()
        kiosk = Kiosk(
            sdk: parts.sdk, trust: parts.trust, keypad: keypad, screen: screen, symbols: feed.scanner,
            features: features, isClockSet: { ClockCheck.isPlausible(.ofThisMachine()) },
            observers: [InUseObserver(), memory] + observers + [report].compactMap(\.self), logger: parts.logger)
        scanner = feed.scanner
        self.surroundings = feed.surroundings + surroundings + [memory.work]
        self.reload = reload
        logger = parts.logger
    }

    /// Whether the kiosk ended because it must restart.
    var mustRestart: Bool { get async { await kiosk.mustRestart } }

    func run() async throws {
        let (kiosk, scanner, group) = (kiosk, scanner, LastingGroup())
        // Stopped in reverse order: the kiosk ends its session while everything else still works.
        var services = [group.signals { [reload] _ in await reload?.perform(on: kiosk) != nil }]
        services += surroundings.map { .init(service: $0) }
        // A source such as a film may end by itself.
        services.append(.init(service: LastingWork { await scanner.run() }.andThenWaiting))
        services.append(group.ending { await kiosk.run() })
        try await group.run(services, logger: logger)
    }
}
