// SPDX-License-Identifier: Apache-2.0

import DisplayLink
import Glibc
import HostIntegration
import LinuxSystem

/// Examines the panel that the kiosk would draw on, without drawing.
enum DisplayProbe {
    private static let name = "display"

    /// - Returns: nil when no panel is wanted, or by default where the program that draws is not installed.
    static func check(_ configuration: KioskConfiguration) -> CheckResult? {
        let wanted = configuration.text("screen.display") ?? "auto"
        guard wanted != "none" else { return nil }
        let found: String?
        do throws(FileFault) { found = try CompanionProgram.display.path() } catch {
            return .failure(name, "\(error)", remedy: error.hint)
        }
        guard found != nil else {
            guard wanted != "auto" else { return nil }
            return .failure(
                name, "screen.display is \(wanted), and login-kiosk-display is not installed beside this program",
                remedy: CompanionProgram.display.remedy)
        }
        let panels = ConnectedPanels.all
        guard !panels.isEmpty else { return .ok(name, "no panel is connected; the console shows the screen") }
        let cards = Set(panels.map { "/dev/dri/\($0.prefix { $0 != "-" })" }).sorted()
        // Safe: the texts are lent for the calls.
        let closed = cards.filter { unsafe access($0, R_OK | W_OK) != 0 }
        guard closed.isEmpty else {
            return .warning(
                name, "this user may not draw at \(closed.joined(separator: ", "))",
                remedy: "add the kiosk's user to the group video")
        }
        return .ok(name, panels.joined(separator: ", "))
    }
}
