// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HostIntegration
import Keypads
import KioskPorts

/// The step that tries the keypad.
extension SetupGuide {
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
