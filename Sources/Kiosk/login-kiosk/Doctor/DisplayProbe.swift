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
        return DisplayCheck.judge(
            configuration.text("screen.display") ?? "auto", isInstalled: found != nil,
            connected: ConnectedPanels.all.map { ($0.connector, $0.size) }
        ) { card in
            // Safe: the text is lent for the call.
            unsafe access("/dev/dri/\(card)", R_OK | W_OK) == 0
        }
    }
}
