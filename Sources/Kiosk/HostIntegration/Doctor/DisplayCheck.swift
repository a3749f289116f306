// SPDX-License-Identifier: Apache-2.0

import DisplayLink
import Glibc
import LinuxSystem

/// The panel that the kiosk draws on.
public enum DisplayCheck {
    /// Examines the panel without drawing.
    public static func look(_ configuration: KioskConfiguration) -> CheckResult? {
        let program: String?
        do throws(FileFault) { program = try CompanionProgram.display.path() } catch {
            return .failure("\(error)", remedy: error.hint)
        }
        let wanted = configuration[\.screen.display]
        let connected = ConnectedPanels.all
        let connector = wanted?.connector(among: connected.map(\.connector))
        let panel = connected.first { $0.connector == connector }.map { ($0.connector, $0.size) }
        return result(wanted.map { "\($0)" } ?? "none", isInstalled: program != nil, panel: panel) { card in
            // Safe: the text is lent for the call.
            unsafe access("/dev/dri/\(card)", R_OK | W_OK) == 0
        }
    }

    /// - Parameters:
    ///   - wanted: the setting `screen.display`.
    ///   - isInstalled: whether the program that draws is.
    ///   - panel: the connector that the setting names, such as `card0-HDMI-A-1`, and the size that its panel prefers;
    ///     nil when no panel is connected there.
    ///   - mayDraw: whether this user may draw at a card, such as `card0`.
    /// - Returns: nil when no panel is wanted, or by default where neither a panel nor the program is there.
    static func result(
        _ wanted: String, isInstalled: Bool, panel: (connector: String, size: String?)?, mayDraw: (String) -> Bool
    ) -> CheckResult? {
        guard wanted != "none" else { return nil }
        let text = panel.map { $0.connector + ($0.size.map { " (\($0))" } ?? "") }
        guard isInstalled else {
            guard wanted == "auto" else {
                return .failure(
                    "screen.display is \(wanted), and login-kiosk-display is not installed beside this program",
                    remedy: CompanionProgram.display.remedy)
            }
            return text.map { .ok("\($0); the console shows the screen: login-kiosk-display is not installed") }
        }
        guard let panel, let text else {
            guard wanted == "auto" else {
                return .warning(
                    "no panel is connected at \(wanted); the console shows the screen",
                    remedy: "connect one, or name another: login-kiosk devices")
            }
            return .ok("no panel is connected; the console shows the screen")
        }
        let card = String(panel.connector.prefix { $0 != "-" })
        guard mayDraw(card) else {
            return .warning(
                "this user may not draw at /dev/dri/\(card)", remedy: "add the kiosk's user to the group video")
        }
        return .ok(text)
    }
}
