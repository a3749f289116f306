// SPDX-License-Identifier: Apache-2.0

import DisplayLink
import HostIntegration
import KioskPorts

/// The step of the panel.
extension SetupGuide {
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
}
