// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration
import KioskPorts
import LinuxSystem
import Logging
import LoginValues
import Signage

/// Leads a person through the steps of ``FirstStart``, with this machine's devices. Most steps have a file of their
/// own, such as `SetupGuide+Camera.swift`.
actor SetupGuide {
    let places: DirectoryOptions
    let configuration: KioskConfiguration
    let file: FirstStartFile
    let logger: Logger
    let dialogue: any SetupDialogue
    var progress = FirstStart()
    /// The service of the step of that name.
    var service: TrustLine?
    /// The program that has a wireless network on trial.
    var joining: (any WirelessJoining)?
    private var isWritten = false

    init(
        _ places: DirectoryOptions, _ configuration: KioskConfiguration, file: FirstStartFile,
        dialogue: any SetupDialogue, logger: Logger
    ) {
        self.dialogue = dialogue
        self.places = places
        self.configuration = configuration
        self.file = file
        self.logger = logger
    }

    /// Runs to the end, or until the person leaves.
    func run() async throws { do { try await lead() } catch is SetupClosed {} }

    private func lead() async throws {
        try await greet()
        var turn = FirstStart.Turn.show(progress.step)
        while true {
            switch turn {
            case .show(let step): turn = try await show(step)
            case .refused(let words):
                try await dialogue.say(words)
                let isLast = progress.step == .summary
                turn = progress.obey(try await dialogue.ask(isLast ? .agreement(.guideWrite) : .confirmation(nil)))
            case .write: return try await finish()
            case .leave: return
            }
        }
    }

    private func finish() async throws {
        do { try await write() } catch {
            // Its complaint is in the log.
            try? await close(with: .guideFailed)
            throw error
        }
        try await close(with: .setUp)
    }

    /// Shows the end to a person who sees no terminal.
    private func close(with sentence: PromptKey) async throws {
        guard dialogue.hasKioskKeys else { return }
        try await dialogue.say(Prompt(sentence))
        _ = try await dialogue.ask(.confirmation(nil))
    }

    /// Leaves the network of a trial unless the person agreed.
    ///
    /// - Returns: whether the person agreed.
    @discardableResult
    func end() async -> Bool {
        if let joining { await joining.undo() }
        joining = nil
        return isWritten
    }

    /// The text of a setting as chosen, else as it is.
    func text<Value>(_ setting: KeyPath<Settings, Setting<Value>>) -> String? {
        progress[setting] ?? configuration.setting(setting)?.value
    }

    /// The camera or other source as chosen, else as it is.
    var source: String { progress[\.source] ?? configuration.sourceText }

    private func greet() async throws {
        try await dialogue.say(Prompt(.guideGreeting))
        if !dialogue.hasKioskKeys { try await dialogue.say(Prompt(.guideKeys)) }
        guard ScannerCheck.isRunningElsewhere else { return }
        try await dialogue.say(Prompt(.guideRunning, [.name: "sudo systemctl stop login-kiosk"]))
    }

    private func show(_ step: FirstStart.Step) async throws -> FirstStart.Turn {
        let number = (FirstStart.Step.allCases.firstIndex(of: step) ?? 0) + 1
        try await dialogue.begin(step.title, number, of: FirstStart.Step.allCases.count)
        let input =
            switch step {
            case .language: try await language()
            case .camera: try await camera()
            case .keypad: try await keypad()
            case .display: try await display()
            case .lamps: try await lamps()
            case .network: try await network()
            case .service: try await trustedService()
            case .clock: try await clock()
            case .summary: try await summary()
            }
        return progress.obey(input)
    }

    /// Shows a sentence of another part of this program, which is English.
    func say(_ text: String) async throws { try await dialogue.say(Prompt(.guideText, [.name: text])) }

    /// Shows a result of the doctor's.
    func say(_ result: CheckResult) async throws {
        try await say(shown(result.finding))
        if let remedy = result.remedy { try await say("hint: \(remedy)") }
    }

    func shown(_ text: String) -> String { PrintableText(text).line }

    func clock() async throws -> FirstStart.Input {
        try await say(ClockCheck.result(.ofThisMachine()))
        return try await dialogue.ask(.confirmation(nil))
    }

    private func summary() async throws -> FirstStart.Input {
        let lines = progress.summary
        for line in lines.isEmpty ? [Prompt(.guideNothing)] : lines { try await dialogue.say(line) }
        return try await dialogue.ask(.agreement(.guideWrite))
    }

    private func write() async throws {
        let changes = progress.settings
        if !changes.isEmpty {
            do { try file.write(changes) } catch let fault as FileFault {
                throw Complaint.make(fault, status: .cannotCreate)
            } catch {
                throw Complaint.make(
                    "\(error)", hint: "see the settings in effect: login-kiosk config show", status: .configuration)
            }
            try await dialogue.say(Prompt(.guideWritten, [.name: file.path]))
        }
        if progress.choices[.service] != nil, let service {
            _ = try TrustCommand.changing(places) { list in
                _ = try TrustCommand.perform { () throws(TrustFileError) in try list.add(service) }
            }
            try await dialogue.say(Prompt(.guideServiceChosen, [.name: "\(service)"]))
        }
        if progress.choices[.network] != nil, let joining {
            do throws(WirelessFault) { try await joining.keep() } catch {
                throw Complaint.make(error.sentence, hint: error.hint, status: .cannotCreate)
            }
            self.joining = nil
        }
        isWritten = true
        try checkEffect(of: changes)
    }

    /// Another source may win over the file.
    private func checkEffect(of changes: [String: String?]) throws {
        let now = places.load()
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            guard let value, let setting = now.setting(name), setting.value != value else { continue }
            throw Complaint.make(
                "\(name) has no effect in \(file.path): \(setting.origin) sets it, too",
                hint: "change it there: login-kiosk config show", status: .configuration)
        }
    }
}

extension FirstStart.Step {
    fileprivate var title: PromptKey {
        switch self {
        case .language: .guideLanguage
        case .camera: .guideCamera
        case .keypad: .guideKeypad
        case .display: .guideDisplay
        case .lamps: .guideLamps
        case .network: .guideNetwork
        case .service: .guideService
        case .clock: .guideClock
        case .summary: .guideSummary
        }
    }
}
