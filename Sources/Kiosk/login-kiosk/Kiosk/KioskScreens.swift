// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import DisplayLink
import Foundation
import HostIntegration
import Keypads
import KioskPorts
import LinuxSystem
import Logging
import ScannerLink
import ServiceLifecycle
import Signage
import Speech
import WebScreen

/// All screens of a kiosk: the terminal, and if configured a page for a browser, lamps and a buzzer, and speech.
struct KioskScreens {
    /// Keys on the page, if there are any.
    let keypad: (any Keypad)?
    private let console: ConsoleScreen
    private let page: PageScreen?
    /// The kiosk's own panel; nil when none is wanted.
    private let display: DisplayProcess?
    private let lights: SignalLights?
    private let speech: SpokenScreen?
    private let all: AllScreens
    private let entranceFile: String?
    private let logger: Logger

    /// - Parameter display: runs by itself.
    init(
        _ configuration: KioskConfiguration, _ display: DisplayProcess?, logger: Logger,
        speechChanged: @escaping @Sendable (SpeechFault?) -> Void
    ) throws {
        let languages = configuration.languages
        console = ConsoleScreen.standard(isPlain: configuration[\.screen.isPlain], languages: languages)
        page = configuration[\.screen.webPort].map {
            PageScreen(
                port: $0, languages: languages, hasKeys: configuration[\.screen.hasWebKeys],
                domains: configuration.touchSettings.domains, logger: logger)
        }
        keypad = page?.keypad
        self.display = display
        lights = KioskScreens.lights(configuration[\.screen.lights], logger)
        speech = configuration.spokenScreen(languages, logger, speechChanged)
        all = AllScreens(([console, page, display, lights, speech] as [(any KioskScreen)?]).compactMap(\.self))
        entranceFile = configuration[\.screen.webFile]
        self.logger = logger
    }

    var screen: any KioskScreen { all }

    /// The panel on which fingers press keys; nil without one.
    var panel: (any TouchedScreen)? { display }

    /// - Returns: nil when none is wanted; by default also where the kiosk is not on this machine's own console, such
    ///   as over ssh or in a window, and where the program that draws is not installed.
    static func display(
        _ configuration: KioskConfiguration, touch: TouchSettings, logger: Logger
    ) throws -> DisplayProcess? {
        guard let panel = configuration[\.screen.display], panel != .automatic || ConsoleKeypad.isOnMachinesConsole
        else { return nil }
        let found: String?
        do throws(FileFault) { found = try CompanionProgram.display.path() } catch { throw Complaint.make(error) }
        guard let executable = found else {
            guard panel != .automatic else { return nil }
            throw Complaint.make(
                "--display \(panel): login-kiosk-display is not beside this program",
                hint: CompanionProgram.display.remedy, status: .configuration)
        }
        let settings = DisplaySettings(
            rotation: DisplaySettings.Rotation(degrees: configuration[\.screen.rotation]) ?? .none,
            scale: configuration[\.screen.scale])
        return DisplayProcess(
            executable: executable, panel: panel, languages: configuration.languages, settings: settings, touch: touch,
            logger: logger)
    }

    /// Whether a panel is drawn on, when one is connected.
    static func isDrawn(on panel: DisplayProcess.Choice?) -> Bool {
        guard panel == .automatic else { return panel != nil }
        return ConsoleKeypad.isOnMachinesConsole && (try? CompanionProgram.display.path()) ?? nil != nil
    }

    /// - Returns: nil when none are configured or they fail: a kiosk works without them.
    private static func lights(_ settings: SignalSettings?, _ logger: Logger) -> SignalLights? {
        guard let settings else { return nil }
        let complain: @Sendable (String) -> Void = { reason in
            logger.error("the lights are missing", metadata: ["reason": "\(reason)"])
        }
        do throws(LineError) {
            return SignalLights(output: try settings.lamps(), complain: complain)
        } catch {
            complain(error.description)
            return nil
        }
    }

    /// The work that accompanies the kiosk. A screen that fails is reported once, and the kiosk continues with the
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
        let lights = lights.map { lights in LastingWork { await lights.run() }.andThenWaiting }
        let voice = speech.map { speech in LastingWork { await speech.run() }.andThenWaiting }
        let previews = PreviewFeed(page: page, display: display, scanner: scanner).work
        let others = [lights, voice].compactMap(\.self) + previews + [lanes]
        guard let page else { return others }
        let (logger, entranceFile) = (logger, entranceFile)
        return [
            .dispensable("web screen", logger) { try await page.run() },
            .dispensable("file that leads to the web screen", logger) {
                // The failure was already reported.
                guard let address = try? await page.address else { return }
                logger.notice("web screen", metadata: ["address": "\(address)"])
                if let entranceFile { try KioskScreens.write(try await page.entrance, to: entranceFile) }
            },
        ] + others
    }

    private static func write(_ entrance: String, to path: String) throws {
        let lock = try FileLock(path)
        defer { lock.release() }
        guard try EntranceFile.mayReplace(path, beginning: PageScreen.entranceBeginning) else {
            throw EntranceFile.Foreign(path: path)
        }
        try PrivateFile.write(entrance, to: path, forGroup: true)
    }

    /// Restores the terminal.
    func close() async { await console.close() }
}

extension LastingWork {
    /// Work that a kiosk can do without: its failure is reported once, and stops nothing.
    static func dispensable(
        _ name: String, _ logger: Logger, _ work: @escaping @Sendable () async throws -> Void
    ) -> LastingWork {
        LastingWork(stopsByItself: true) {
            do { try await work() } catch is CancellationError {} catch {
                logger.error("\(name) is missing", metadata: ["reason": "\(error)"])
            }
        }.andThenWaiting
    }
}

extension ConsoleScreen {
    /// On standard output, without colour if the environment asks for that (no-color.org).
    static func standard(isPlain: Bool, languages: Languages) -> ConsoleScreen {
        let environment = ProcessInfo.processInfo.environment
        let style = ConsoleScreen.Style(environment: environment)
        return ConsoleScreen(
            style: isPlain && style == .automatic ? .plain : style,
            usesColour: (environment["NO_COLOR"] ?? "").isEmpty, languages: languages)
    }
}
