// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration
import KioskPorts
import LinuxSystem
import Logging
import LoginValues

/// Leads a person through the steps of ``FirstStart``, with this machine's devices. The steps are in
/// `SetupGuide+Devices.swift` and `SetupGuide+Network.swift`.
actor SetupGuide {
    let places: DirectoryOptions
    let configuration: KioskConfiguration
    let file: FirstStartFile
    let logger: Logger
    let dialogue = SetupDialogue()
    var progress = FirstStart()
    /// The service of the step of that name.
    var service: TrustLine?
    /// The program that has a wireless network on trial.
    var joining: (any WirelessJoining)?
    private var isWritten = false

    init(_ places: DirectoryOptions, _ configuration: KioskConfiguration, _ file: FirstStartFile, logger: Logger) {
        self.places = places
        self.configuration = configuration
        self.file = file
        self.logger = logger
    }

    /// Runs to the end, or until the person leaves.
    func run() async throws {
        do {
            try await greet()
            var turn = FirstStart.Turn.show(progress.step)
            while true {
                switch turn {
                case .show(let step): turn = try await show(step)
                case .refused(let words):
                    try await dialogue.say(words)
                    turn = progress.obey(try await dialogue.ask("Enter, s, r, b or q"))
                case .write: return try await write()
                case .leave: return
                }
            }
        } catch is SetupDialogue.Closed {}
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

    /// A setting as chosen, else as it is.
    func value(_ name: String) -> String? {
        if let chosen = progress.settings[name] { return chosen }
        return configuration.text(name)
    }

    private func greet() async throws {
        try await dialogue.say(
            "Setting this kiosk up. Enter goes on, s skips a step, r repeats it, b goes back, q leaves. "
                + "Nothing is written before the end.")
        guard ScannerCheck.runs(besideThatOf: ProcessInfo.processInfo.processIdentifier) else { return }
        try await dialogue.say(
            "A kiosk is running and has camera and keypad. To try them here, leave, stop it, and begin again: "
                + "sudo systemctl stop login-kiosk")
    }

    private func show(_ step: FirstStart.Step) async throws -> FirstStart.Turn {
        let number = (FirstStart.Step.allCases.firstIndex(of: step) ?? 0) + 1
        try await dialogue.say("\n\(number)/\(FirstStart.Step.allCases.count) \(step.title)")
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

    /// Shows numbered offers and waits for a number of theirs, or for any other input.
    ///
    /// - Parameter current: the offer that Enter keeps.
    func pick(_ offers: [String], current: Int?) async throws -> FirstStart.Input {
        for (index, offer) in offers.enumerated() {
            try await dialogue.say("\(index == current ? "*" : " ") \(index + 1) \(PrintableText(offer).line)")
        }
        while true {
            let input = try await dialogue.ask(offers.count == 1 ? "Enter" : "1-\(offers.count), Enter")
            switch input {
            case .number(let number) where (1...offers.count).contains(number): return input
            case .number, .text:
                try await dialogue.say("Type a number from 1 to \(offers.count), or Enter for the one with the star.")
            default: return input
            }
        }
    }

    private func summary() async throws -> FirstStart.Input {
        let lines = progress.summary
        try await dialogue.say(
            lines.isEmpty ? "Nothing was chosen: all stays as it is." : lines.joined(separator: "\n"))
        return try await dialogue.ask("Type \(FirstStart.agreement)")
    }

    private func write() async throws {
        let changes = progress.settings
        if !changes.isEmpty {
            do { try file.write(changes) } catch let fault as FileFault {
                throw Complaint.make(fault, status: .cannotCreate)
            } catch {
                throw Complaint.make(
                    "\(error)", hint: "see what counts and why: login-kiosk config show", status: .configuration)
            }
            try await dialogue.say("written: \(file.path)")
        }
        if progress.choices[.service] != nil, let service {
            _ = try TrustCommand.changing(places) { list in
                _ = try TrustCommand.perform { () throws(TrustFileError) in try list.add(service) }
            }
            try await dialogue.say("trusted: \(service)")
        }
        if progress.choices[.network] != nil, let joining {
            do throws(WirelessFault) { try await joining.keep() } catch {
                throw Complaint.make(error.sentence, hint: error.hint, status: .cannotCreate)
            }
            self.joining = nil
        }
        isWritten = true
        try checkEffect(of: changes)
        try await dialogue.say(
            "Now start the kiosk: sudo systemctl restart login-kiosk\nLook after it: sudo login-kiosk doctor --online")
    }

    /// Another source may win over the file.
    private func checkEffect(of changes: [String: String?]) throws {
        let now = places.load()
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            guard let value, let setting = now.setting(name), setting.value != value else { continue }
            throw Complaint.make(
                "\(name) does not count in \(file.path): \(setting.origin) says otherwise",
                hint: "change it there: login-kiosk config show", status: .configuration)
        }
    }
}

extension FirstStart.Step {
    fileprivate var title: String {
        switch self {
        case .language: "Language of the screens"
        case .camera: "Camera"
        case .keypad: "Keypad"
        case .display: "Display"
        case .lamps: "Lamps and buzzer"
        case .network: "Wireless network"
        case .service: "Trusted service"
        case .clock: "Clock"
        case .summary: "Summary"
        }
    }
}
