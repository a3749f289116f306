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
        var offers = Offers(current: text(\.screen.display) ?? "auto")
        offers.add(Prompt(.guideDisplayFirst), "auto")
        for panel in ConnectedPanels.all {
            let name = panel.size.map { "\(panel.connector), \($0)" } ?? panel.connector
            offers.add(Prompt(.guideText, [.name: name]), panel.connector)
        }
        offers.add(Prompt(.guideDisplayNone), "none")
        let input = try await dialogue.ask(offers.question)
        guard input != .accepted, let display = offers.value(of: input) else { return input }
        progress.choose(.init(\.screen.display, display, Prompt(.guideDisplayChosen, [.name: display])))
        return .accepted
    }
}
