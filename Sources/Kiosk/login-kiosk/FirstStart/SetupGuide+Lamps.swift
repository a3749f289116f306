// SPDX-License-Identifier: Apache-2.0

import HostIntegration
import KioskPorts
import Signage

/// The step that tries the lamps and the buzzer.
extension SetupGuide {
    private static let blink = Duration.milliseconds(700)
    private static let blinks = 2

    func lamps() async throws -> FirstStart.Input {
        let configured = text(\.screen.lights)
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
            let answer = try await dialogue.ask(.confirmation(.guideLampsSeen))
            if answer == .accepted, text != configured {
                progress.choose(.init(\.screen.lights, text, Prompt(.guideLampsChosen, [.name: text])))
            }
            return answer
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
}
