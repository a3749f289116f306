// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import DisplayLink
import HostIntegration
import Keypads
import KioskPorts
import LinuxSystem
import Logging
import Signage

/// The kiosk's own panel and console for a guided first start, and the keys of both.
struct SetupScreen {
    let dialogue: SetupPanel
    private let console: ConsoleScreen
    private let display: DisplayProcess
    private let all: AllScreens

    /// - Returns: nil where a person sits at a terminal: away from the machine's own console, or without a panel.
    init?(_ configuration: KioskConfiguration, logger: Logger) throws {
        let languages = configuration.languages
        guard ConsoleKeypad.isOnMachinesConsole, !ConnectedPanels.all.isEmpty,
            let display = try KioskScreens.display(configuration, touch: TouchSettings(), logger: logger)
        else { return nil }
        self.display = display
        console = ConsoleScreen.standard(isPlain: false, languages: languages)
        all = AllScreens([console, display])
        dialogue = SetupPanel(
            all, try KeypadOptions.keypad([], and: [], on: display), languages: languages.tags,
            time: Timekeeper(ContinuousClock())
        ) { display.show($0) }
    }

    /// The work that accompanies the guide.
    var work: [LastingWork] {
        let (dialogue, display, all) = (dialogue, display, all)
        return [
            LastingWork { await display.run() }, LastingWork { await all.run() }, LastingWork { await dialogue.run() },
        ].map(\.andThenWaiting)
    }

    /// Restores the terminal.
    func close() async { await console.close() }
}
