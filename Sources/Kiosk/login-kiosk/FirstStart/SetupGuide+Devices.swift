// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import DisplayLink
import GPIO
import HostIntegration
import Keypads
import KioskPorts
import LinuxSystem
import Signage

/// The steps that try devices.
extension SetupGuide {
    private static let blink = Duration.milliseconds(700)
    private static let blinks = 2

    func language() async throws -> FirstStart.Input {
        let tags = Languages.standard.tags
        let own = value("screen.language").flatMap { Languages(first: $0) } ?? configuration.languages
        let names = tags.map { Prompt(.guideText, [.name: "\(Languages.name(of: $0) ?? $0) (\($0))"]) }
        let input = try await dialogue.ask(.offers(names, current: tags.firstIndex(of: own.tags[0])))
        guard case .number(let number) = input else { return input }
        let tag = tags[number - 1]
        await dialogue.speak(tag)
        progress.choose(
            .init(["screen.language": tag], Prompt(.setupLanguage, [.name: Languages.name(of: tag) ?? tag])))
        return .accepted
    }

    func camera() async throws -> FirstStart.Input {
        let cameras = CameraDescription.all()
        for camera in cameras {
            if let problem = camera.problem {
                try await say("\(camera.node) \(PrintableText(problem).line)")
            } else if !camera.holders.isEmpty {
                let holders = camera.holders.map(\.description).joined(separator: ", ")
                try await dialogue.say(
                    Prompt(.guideInUse, [.name: camera.node, .user: PrintableText(holders).line]))
            }
        }
        let usable = cameras.filter { $0.problem == nil }
        if usable.isEmpty { try await dialogue.say(Prompt(.guideCameraNone)) }
        let names = usable.map { shown($0.identity.map(\.description), $0.node) }
        let offers =
            [Prompt(.guideAsNow, [.name: shown(value("source") ?? "camera")])]
            + names.map { Prompt(.guideText, [.name: $0]) }
        let input = try await dialogue.ask(.offers(offers, current: 0))
        let chosen: Int?
        switch input {
        case .accepted, .number(1): chosen = nil
        case .number(let number): chosen = number - 2
        default: return input
        }
        let wanted = chosen.map { "camera:\(usable[$0].stableNames.first ?? usable[$0].node)" }
        try await dialogue.say(Prompt(.guideCameraHelp))
        let source = wanted ?? (progress.settings["source"] ?? nil) ?? configuration.sourceText
        do {
            _ = try await CameraTrial(source: source, dialogue: dialogue, logger: logger).run { _ in false }
        } catch is ExitCode { try await dialogue.say(Prompt(.cameraMissing)) }
        let verdict = try await dialogue.ask(.confirmation(.guideRight))
        if verdict == .accepted, let chosen {
            progress.choose(.init(["source": wanted], Prompt(.guideCameraChosen, [.name: names[chosen]])))
        }
        return verdict
    }

    func keypad() async throws -> FirstStart.Input {
        let others = configuration.keypads.filter { $0.name != FirstStartFile.keypad }
        let configured = configuration.keypadSpecifications()
        let now = configured.isEmpty ? [.console] : configured
        let devices = others.isEmpty ? InputDescription.all().filter { $0.problem == nil } : []
        if let first = others.first {
            try await dialogue.say(Prompt(.guideKeypadElsewhere, [.name: "\(first.driver.origin)"]))
        }
        let deviceNames = devices.map { shown($0.identity.map(\.description), $0.node) }
        let names = now.map(\.description).joined(separator: ", ")
        let current =
            configured.isEmpty ? Prompt(.guideKeypadOwn) : Prompt(.guideAsNow, [.name: shown(names)])
        let offers =
            [current] + deviceNames.map { Prompt(.guideText, [.name: $0]) }
        let input = try await dialogue.ask(.offers(offers, current: 0))
        var chosen: (path: String, name: String)?
        switch input {
        case .accepted, .number(1): break
        case .number(let number):
            let device = devices[number - 2]
            chosen = (device.stableNames.first ?? device.node, deviceNames[number - 2])
        default: return input
        }
        let tried = chosen.flatMap { try? KeypadSpecification("evdev:\($0.path)") }.map { [$0] } ?? now
        for specification in tried {
            guard let missing = try await self.tried(specification) else { return .back }
            try await dialogue.say(missing)
        }
        let verdict = try await dialogue.ask(.confirmation(.guideRight))
        if verdict == .accepted, let chosen {
            let group = "keypads.\(FirstStartFile.keypad)"
            progress.choose(
                .init(
                    [
                        "\(group).driver": "evdev", "\(group).path": chosen.path, "\(group).usb": nil,
                        "\(group).phys": nil, "\(group).name": nil,
                    ], Prompt(.guideKeypadChosen, [.name: chosen.name])))
        }
        return verdict
    }

    /// Has the person press the keys of a keypad.
    ///
    /// - Returns: what was heard; nil when the person goes back.
    private func tried(_ specification: KeypadSpecification) async throws -> Prompt? {
        let missing: [UInt8]?
        if dialogue.hasKioskKeys, specification.isOfScreen {
            try await dialogue.say(Prompt(.guideKeypadPress))
            switch try await dialogue.ask(.digits) {
            case .back, .left: return nil
            case .text(let digits): missing = (0...9).filter { !digits.contains("\($0)") }
            default: missing = Array(0...9)
            }
        } else {
            try await dialogue.say(Prompt(.guideKeypadHelp, [.name: shown("\(specification)")]))
            let trial = KeypadTrial(specification: specification, dialogue: dialogue)
            do { missing = try await trial.run() } catch is ExitCode { missing = nil }
        }
        guard let missing else { return Prompt(.guideKeypadNoOK) }
        return missing.isEmpty
            ? Prompt(.guideKeypadHeard)
            : Prompt(.guideKeypadMissing, [.name: missing.map { "\($0)" }.joined(separator: " ")])
    }

    func display() async throws -> FirstStart.Input {
        guard let result = DisplayCheck.look(configuration) else {
            try await dialogue.say(Prompt(.guideConsole))
            return try await dialogue.ask(.confirmation(nil))
        }
        // The panel shows this.
        if !dialogue.hasKioskKeys { try await say(result) }
        let panels = ConnectedPanels.all
        let values = ["auto"] + panels.map(\.connector) + ["none"]
        let names = panels.map { panel in
            Prompt(.guideText, [.name: panel.size.map { "\(panel.connector), \($0)" } ?? panel.connector])
        }
        let input = try await dialogue.ask(
            .offers(
                [Prompt(.guideDisplayFirst)] + names + [Prompt(.guideDisplayNone)],
                current: values.firstIndex(of: value("screen.display") ?? "auto")))
        guard case .number(let number) = input else { return input }
        progress.choose(
            .init(["screen.display": values[number - 1]], Prompt(.guideDisplayChosen, [.name: values[number - 1]])))
        return .accepted
    }

    func lamps() async throws -> FirstStart.Input {
        let configured = value("screen.lights")
        guard configured != nil || !dialogue.hasKioskKeys else {
            // A panel's keyboard has no signs for them.
            try await dialogue.say(Prompt(.guideLampsNone))
            return try await dialogue.ask(.confirmation(nil))
        }
        try await dialogue.say(Prompt(.guideLampsHelp, [.name: configured ?? "-"]))
        while true {
            let input = try await dialogue.ask(dialogue.hasKioskKeys ? .confirmation(nil) : .text)
            let text: String
            switch input {
            case .text(let typed): text = typed
            case .accepted:
                guard let configured else { return input }
                text = configured
            case .number:
                try await dialogue.say(Prompt(.guideLampsName))
                continue
            default: return input
            }
            do {
                try await blink(try SignalSettings(text))
            } catch let error as SignalSettingsError {
                try await say(shown("\(error)"))
                if dialogue.hasKioskKeys { return try await dialogue.ask(.confirmation(nil)) }
                continue
            } catch let error as LineError {
                try await say("\(error)")
            }
            let verdict = try await dialogue.ask(.confirmation(.guideLampsSeen))
            if verdict == .accepted, text != configured {
                progress.choose(.init(["screen.lights": text], Prompt(.guideLampsChosen, [.name: text])))
            }
            return verdict
        }
    }

    private func blink(_ settings: SignalSettings) async throws {
        let lamps = try settings.lamps()
        for part in settings.parts {
            for _ in 0..<SetupGuide.blinks {
                try await lamps.set(part.level)
                try? await Task.sleep(for: SetupGuide.blink)
                try await lamps.set([])
                try await Task.sleep(for: SetupGuide.blink)
            }
        }
    }

    func clock() async throws -> FirstStart.Input {
        try await say(ClockCheck.judge(.ofThisMachine()))
        return try await dialogue.ask(.confirmation(nil))
    }

    /// Shows a result of the doctor's.
    func say(_ result: CheckResult) async throws {
        try await say(shown(result.finding))
        if let remedy = result.remedy { try await say("hint: \(remedy)") }
    }

    /// A device's name in words that a panel has room for: a stable path has no place to break.
    private func shown(_ name: String?, _ node: String) -> String { name.map { "\(shown($0)) (\(node))" } ?? node }

    private func shown(_ text: String) -> String { PrintableText(text).line }
}

extension KeypadSpecification {
    /// Whether its keys come to the screen of a kiosk anyway.
    fileprivate var isOfScreen: Bool {
        switch self {
        case .console, .touch: true
        case .script, .evdev, .gpio: false
        }
    }
}
