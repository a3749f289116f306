// SPDX-License-Identifier: Apache-2.0

import DisplayLink
import Glibc
import HostIntegration
import LinuxSystem

/// Examines the panel that the kiosk would draw on, without drawing.
enum DisplayProbe {
    /// - Returns: nil when there is nothing to say.
    static func check(_ configuration: KioskConfiguration) -> CheckResult? {
        let found: String?
        do throws(FileFault) { found = try CompanionProgram.display.path() } catch {
            return .failure("display", "\(error)", remedy: error.hint)
        }
        let wanted = configuration[\.screen.display]
        let connected = ConnectedPanels.all
        let connector = wanted?.connector(among: connected.map(\.connector))
        let panel = connected.first { $0.connector == connector }
        let name = wanted.map { "\($0)" } ?? "none"
        return DisplayCheck.judge(name, isInstalled: found != nil, panel: panel.map { ($0.connector, $0.size) }) {
            card in
            // Safe: the text is lent for the call.
            unsafe access("/dev/dri/\(card)", R_OK | W_OK) == 0
        }
    }
}
