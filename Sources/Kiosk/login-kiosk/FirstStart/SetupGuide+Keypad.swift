// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HostIntegration
import Keypads
import KioskPorts

/// The step that tries the keypad.
extension SetupGuide {
    func keypad() async throws -> FirstStart.Input {
        let configured = configuration.keypadSpecifications()
        let offers = try await keypadOffers(configured)
        let input = try await dialogue.ask(offers.question)
        guard let chosen = offers.value(of: input) else { return input }
        let wanted = chosen.flatMap { try? KeypadSpecification("evdev:\($0.path)") }
        let specifications = wanted.map { [$0] } ?? (configured.isEmpty ? [.console] : configured)
        for specification in specifications {
            guard let finding = try await tried(specification) else { return .back }
            try await dialogue.say(finding)
        }
        let answer = try await dialogue.ask(.confirmation(.guideRight))
        if answer == .accepted, let chosen {
            let group = "keypads.\(FirstStartFile.keypad)"
            progress.choose(
                .init(
                    [
                        "\(group).driver": "evdev", "\(group).path": chosen.path, "\(group).usb": nil,
                        "\(group).phys": nil, "\(group).name": nil,
                    ], Prompt(.guideKeypadChosen, [.name: chosen.name])))
        }
        return answer
    }

    /// Offers the configured keypad, as nil, and then the devices, unless another file configures a keypad.
    private func keypadOffers(_ configured: [KeypadSpecification]) async throws -> Offers<OfferedDevice?> {
        let names = configured.map(\.description).joined(separator: ", ")
        var offers = Offers<OfferedDevice?>(current: nil)
        offers.add(
            configured.isEmpty ? Prompt(.guideKeypadOwn) : Prompt(.guideAsNow, [.name: shown(names)]), nil)
        if let elsewhere = configuration.keypads.first(where: { $0.name != FirstStartFile.keypad }) {
            try await dialogue.say(Prompt(.guideKeypadElsewhere, [.name: "\(elsewhere.driver.origin)"]))
            return offers
        }
        for input in InputDescription.all() where input.problem == nil {
            let device = OfferedDevice(input.node, input.stableNames, identity: input.identity?.description)
            offers.add(Prompt(.guideText, [.name: device.name]), device)
        }
        return offers
    }

    /// Has the person press the keys of a keypad.
    ///
    /// - Returns: the words for the outcome; nil when the person goes back.
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
