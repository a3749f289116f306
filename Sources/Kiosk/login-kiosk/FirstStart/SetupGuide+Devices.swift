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
        let input = try await pick(
            tags.map { "\(Languages.name(of: $0) ?? $0) (\($0))" }, current: tags.firstIndex(of: own.tags[0]))
        guard case .number(let number) = input else { return input }
        let tag = tags[number - 1]
        progress.choose(.init(["screen.language": tag], "Language: \(Languages.name(of: tag) ?? tag)"))
        return .accepted
    }

    func camera() async throws -> FirstStart.Input {
        let cameras = CameraDescription.all()
        for camera in cameras {
            if let problem = camera.problem {
                try await dialogue.say("\(camera.node) \(PrintableText(problem).line)")
            } else if !camera.holders.isEmpty {
                let holders = camera.holders.map(\.description).joined(separator: ", ")
                try await dialogue.say("\(camera.node) is in use by \(PrintableText(holders).line)")
            }
        }
        let usable = cameras.filter { $0.problem == nil }
        if usable.isEmpty { try await dialogue.say("No camera is there. Plug one in, and repeat this step.") }
        let names = usable.map { $0.stableNames.first ?? $0.node }
        let offers =
            ["as now: \(value("source") ?? "camera")"]
            + zip(usable, names).map { camera, name in
                "\(camera.identity.map(\.description) ?? camera.node) \(name)"
            }
        let input = try await pick(offers, current: 0)
        let chosen: String?
        switch input {
        case .accepted, .number(1): chosen = nil
        case .number(let number): chosen = "camera:\(names[number - 2])"
        default: return input
        }
        try await dialogue.say(
            "Hold a QR code before the camera, and turn its lens until the focus is highest. Enter ends.")
        let source = chosen ?? (progress.settings["source"] ?? nil) ?? configuration.sourceText
        do {
            _ = try await CameraTrial(source: source, dialogue: dialogue, logger: logger).run { _ in false }
        } catch is ExitCode {
            // The complaint was printed.
        }
        let verdict = try await dialogue.ask("Enter if it is right, else r, s, b")
        if verdict == .accepted, let chosen { progress.choose(.init(["source": chosen], "Camera: \(chosen)")) }
        return verdict
    }

    func keypad() async throws -> FirstStart.Input {
        let others = configuration.keypads.filter { $0.name != FirstStartFile.keypad }
        let configured = configuration.keypadSpecifications()
        let now = configured.isEmpty ? [.console] : configured
        let devices = others.isEmpty ? InputDescription.all().filter { $0.problem == nil } : []
        if let first = others.first {
            try await dialogue.say("Keypads are configured in \(first.driver.origin): change them there.")
        }
        let names = now.map(\.description).joined(separator: ", ")
        let offers =
            ["as now: \(configured.isEmpty ? "the terminal's keyboard" : names)"]
            + devices.map { "\($0.identity.map(\.description) ?? "") \($0.stableNames.first ?? $0.node)" }
        let input = try await pick(offers, current: 0)
        var chosen: String?
        switch input {
        case .accepted, .number(1): break
        case .number(let number): chosen = devices[number - 2].stableNames.first ?? devices[number - 2].node
        default: return input
        }
        let tried = chosen.flatMap { try? KeypadSpecification("evdev:\($0)") }.map { [$0] } ?? now
        for specification in tried {
            try await dialogue.say(
                "Press each digit of \(PrintableText("\(specification)").line), then OK (Enter). "
                    + "Without a key it ends after half a minute.")
            do {
                let missing = try await KeypadTrial(specification: specification, dialogue: dialogue).run()
                let digits = missing?.map { "\($0)" }.joined(separator: " ")
                try await dialogue.say(
                    digits.map { $0.isEmpty ? "All digits and OK were heard." : "Not heard: \($0)." }
                        ?? "OK was not heard.")
            } catch is ExitCode {
                // The complaint was printed.
            }
        }
        let verdict = try await dialogue.ask("Enter if it is right, else r, s, b")
        if verdict == .accepted, let chosen {
            let group = "keypads.\(FirstStartFile.keypad)"
            progress.choose(
                .init(
                    [
                        "\(group).driver": "evdev", "\(group).path": chosen, "\(group).usb": nil,
                        "\(group).phys": nil, "\(group).name": nil,
                    ], "Keypad: \(chosen)"))
        }
        return verdict
    }

    func display() async throws -> FirstStart.Input {
        guard let result = DisplayProbe.check(configuration) else {
            try await dialogue.say("The console shows the screen: login-kiosk-display is not installed, or not wanted.")
            return try await dialogue.ask("Enter")
        }
        try await say(result)
        let panels = ConnectedPanels.all
        let values = ["auto"] + panels.map(\.connector) + ["none"]
        let names = panels.map { panel in panel.size.map { "\(panel.connector), \($0)" } ?? panel.connector }
        let input = try await pick(
            ["the first panel (auto)"] + names + ["none: the console shows the screen"],
            current: value("screen.display").flatMap { values.firstIndex(of: $0) })
        guard case .number(let number) = input else { return input }
        progress.choose(.init(["screen.display": values[number - 1]], "Display: \(values[number - 1])"))
        return .accepted
    }

    func lamps() async throws -> FirstStart.Input {
        try await dialogue.say(
            "Lamps and a buzzer at GPIO lines, such as green=17,red=27,buzzer=22. Now: "
                + (value("screen.lights") ?? "none") + ".")
        while true {
            let input = try await dialogue.ask("Lines, or Enter")
            let text: String
            switch input {
            case .text(let typed): text = typed
            case .accepted:
                guard let configured = value("screen.lights") else { return input }
                text = configured
            case .number:
                try await dialogue.say("Name the lamp, too: green=17")
                continue
            default: return input
            }
            do {
                try await blink(try SignalSettings(text))
            } catch let error as SignalSettingsError {
                try await dialogue.say("\(PrintableText("\(error)").line)")
                continue
            } catch let error as LineError {
                try await dialogue.say("\(error)")
            }
            let verdict = try await dialogue.ask("Enter if you saw it, else r, s, b")
            if verdict == .accepted, text != value("screen.lights") {
                progress.choose(.init(["screen.lights": text], "Lamps: \(text)"))
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
        return try await dialogue.ask("Enter")
    }

    /// Shows a result of the doctor's.
    func say(_ result: CheckResult) async throws {
        try await dialogue.say(PrintableText(result.finding).line)
        if let remedy = result.remedy { try await dialogue.say("hint: \(remedy)") }
    }
}
