// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Capture
import HostIntegration
import KioskPorts

/// The step that tries the camera.
extension SetupGuide {
    func camera() async throws -> FirstStart.Input {
        let offers = try await cameraOffers()
        let input = try await dialogue.ask(offers.question)
        guard let chosen = offers.value(of: input) else { return input }
        try await dialogue.say(Prompt(.guideCameraHelp))
        let wanted = chosen.map { "camera:\($0.path)" } ?? source
        do {
            _ = try await CameraTrial(source: wanted, dialogue: dialogue, logger: logger).run { _ in false }
        } catch is ExitCode { try await dialogue.say(Prompt(.cameraMissing)) }
        let answer = try await dialogue.ask(.confirmation(.guideRight))
        if answer == .accepted, let chosen {
            progress.choose(.init(\.source, wanted, Prompt(.guideCameraChosen, [.name: chosen.name])))
        }
        return answer
    }

    /// Lists the cameras that cannot be used. Offers the configured source, as nil, and then the other cameras.
    private func cameraOffers() async throws -> Offers<OfferedDevice?> {
        let cameras = CameraDescription.all()
        for camera in cameras {
            if let problem = camera.problem {
                try await say("\(camera.node) \(shown(problem))")
            } else if !camera.holders.isEmpty {
                let holders = camera.holders.map(\.description).joined(separator: ", ")
                try await dialogue.say(Prompt(.guideInUse, [.name: camera.node, .user: shown(holders)]))
            }
        }
        let usable = cameras.filter { $0.problem == nil }
        if usable.isEmpty { try await dialogue.say(Prompt(.guideCameraNone)) }
        var offers = Offers<OfferedDevice?>(current: nil)
        offers.add(Prompt(.guideAsNow, [.name: shown(text(\.source) ?? "camera")]), nil)
        for camera in usable {
            let device = OfferedDevice(camera.node, camera.stableNames, identity: camera.identity?.description)
            offers.add(Prompt(.guideText, [.name: device.name]), device)
        }
        return offers
    }
}
