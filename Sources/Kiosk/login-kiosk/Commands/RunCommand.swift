// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import DisplayLink
import Foundation
import HostIntegration
import Keypads
import KioskPorts
import KioskRuntime
import Logging
import LoginValues
import Signage
import Speech

struct RunCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the kiosk: read QR codes, ask for PINs, log browsers in.",
        discussion: """
            Keys come from the terminal and a touch panel, or from all keypads that are named. The screen is the \
            terminal; if the output is not a terminal, each change prints one line. --web shows the screen to a \
            browser, too. Ctrl-C stops the kiosk and cancels a login. Under systemd it sends READY and watchdog \
            messages, and SIGHUP makes it read settings, trust list and certificates again; without one SIGHUP stops \
            the kiosk.
            With a file or folder of pictures and a script of keys the kiosk needs no hardware, and ends with the \
            script.
            Settings supply what no option says: login-kiosk config show.
            For example: login-kiosk run --language de --web 8080
            """)

    @OptionGroup var options: KioskOptions
    @OptionGroup var source: SourceOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var keypads: KeypadOptions
    @Option(
        help: ArgumentHelp(
            InstalledPages.located(
                in: "File with a script of keys, instead of any other keypad. docs/kiosk.md has the grammar.")))
    var keys: String?
    @OptionGroup var screens: ScreenOptions

    func run() async throws {
        let said = [source.settings, policy.settings, screens.settings].reduce([:]) { $0.merging($1) { $1 } }
        let configuration = try await endReset(said)
        let held = configuration[\.screen.isPlain] || isatty(STDOUT_FILENO) == 0 ? nil : HeldLog()
        defer { held?.release() }
        let logger = options.logging.logger("kiosk", held: held, configuration)
        let display = try KioskScreens.display(configuration, touch: configuration.touchSettings, logger: logger)
        // Its process starts and reads its fonts while the identities are opened. It ends last, with this function.
        async let _: Void? = display?.run()
        let parts = try await KioskParts(options, configuration, logger: logger)
        warnOfMemory(parts.logger)
        let report = ServiceReport(logger: parts.logger)
        let audit = try KioskAudit(configuration, options.places, report, logger: parts.logger)
        let health = KioskHealth(display: display)
        let metrics = KioskMetrics(trail: audit?.trail)
        let shown = try KioskScreens(configuration, display, logger: parts.logger) { fault in
            health.speechFault = fault?.description
            report?.lacks(fault.map { "there is no speech: \($0)" }, for: .speech)
        }
        let keypad = try keypad(configuration, or: shown) { audit?.note($0) }
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let feed = try ScannerFeed(source: configuration.sourceText, in: directory, logger: parts.logger)
        let doors = KioskDoors(configuration, parts) { await audit?.append($0) }
        let watched = try OperatorWork(
            configuration, parts, options.places, health: health, metrics: metrics, trail: audit?.trail)
        let reload = SettingsReload(options, said: said, configuration, parts, report: report)
        let features = KioskFeatures(
            localLogins: doors.logins, tasks: configuration.tasks, signing: try configuration.signing(parts),
            policy: configuration.policy, lostIdentities: parts.lostIdentities, cards: parts.cards,
            provisioning: try KioskProvisioningService(
                configuration, parts, options.places, reload: reload, audit: audit),
            resetKeys: configuration.resetKeys)
        let kiosk = WholeKiosk(
            parts, feed: feed, keypad: keypad, screen: shown.screen, features: features,
            surroundings: shown.work(previewsFrom: feed.scanner) + doors.work + watched.work
                + [audit?.work].compactMap(\.self),
            observers: ([metrics, health, audit] as [(any KioskObserver)?]).compactMap(\.self),
            report: report, reload: report == nil ? nil : reload)
        try await kiosk.run()
        await shown.close()
        if await kiosk.mustRestart { throw RunCommand.restartComplaint() }
    }

    private static func restartComplaint() -> ExitCode {
        Complaint.make(
            "the kiosk must restart", hint: "a service manager does: otherwise login-kiosk run",
            status: .temporaryFailure)
    }

    /// Ends a reset that was cut off.
    ///
    /// - Parameter said: settings by name from the options.
    /// - Returns: the settings after it.
    private func endReset(_ said: [String: String]) async throws -> KioskConfiguration {
        // The reset may have left half a profile.
        var configuration = try options.require(said, mayLackProfile: true)
        let isReset = try await KioskProvisioningService.endReset(configuration, options)
        // A kiosk that accepts profiles can start without the lost one: its operator's next profile repairs it.
        let mayLackProfile = configuration[\.wantsProfile]
        if isReset || !mayLackProfile { configuration = try options.require(said, mayLackProfile: mayLackProfile) }
        if let problem = configuration.profileProblem { Complaint.say("\(problem)") }
        return configuration
    }

    private func warnOfMemory(_ logger: Logger) {
        let memory = MemoryCheck.result(lockFailure: SecretMemory.lockFailure)
        if memory.status != .ok { logger.warning("\(memory.finding)") }
    }

    /// - Parameters:
    ///   - shown: the screens, of which some have keys.
    ///   - note: called for each input device that comes or goes.
    private func keypad(
        _ configuration: KioskConfiguration, or shown: KioskScreens, note: @escaping @Sendable (KeypadChange) -> Void
    ) throws -> any Keypad {
        if let keys { return ScriptedKeypad(try KeyScript(file: keys)) }
        let named = try keypads.specifications()
        return try KeypadOptions.keypad(
            named.isEmpty ? configuration.keypadSpecifications() : named, and: [shown.keypad].compactMap(\.self),
            on: shown.panel, note: note)
    }
}
