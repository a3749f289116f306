// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import HostIntegration
import KioskPorts

/// The step that tries the camera.
extension SetupGuide {
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
}
