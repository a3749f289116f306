// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// The panel that the kiosk draws on.
public enum DisplayCheck {
    private static let name = "display"

    /// - Parameters:
    ///   - wanted: the setting `screen.display`.
    ///   - isInstalled: whether the program that draws is.
    ///   - connected: the connectors with a panel, such as `card0-HDMI-A-1`, and the size that each panel prefers.
    ///   - mayDraw: whether this user may draw at a card, such as `card0`.
    /// - Returns: nil when no panel is wanted, or by default where neither a panel nor the program is there.
    public static func judge(
        _ wanted: String, isInstalled: Bool, connected: [(connector: String, size: String?)],
        mayDraw: (String) -> Bool
    ) -> CheckResult? {
        guard wanted != "none" else { return nil }
        let panels = connected.map { (card: String($0.connector.prefix { $0 != "-" }), panel: $0) }
            .filter { wanted == "auto" || $0.card == wanted.split(separator: "/").last.map(String.init) }
        let text = panels.map { $0.panel.connector + ($0.panel.size.map { " (\($0))" } ?? "") }
            .joined(separator: ", ")
        switch (isInstalled, wanted == "auto") {
        case (false, false):
            return .failure(
                name, "screen.display is \(wanted), and login-kiosk-display is not installed beside this program",
                remedy: CompanionProgram.display.remedy)
        case (false, true):
            return panels.isEmpty
                ? nil : .ok(name, "\(text); the console shows the screen, for login-kiosk-display is not installed")
        case (true, false) where panels.isEmpty:
            return .warning(
                name, "no panel is connected at \(wanted); the console shows the screen",
                remedy: "connect one, or name another card: login-kiosk devices")
        case (true, true) where panels.isEmpty: return .ok(name, "no panel is connected; the console shows the screen")
        default: break
        }
        let closed = Set(panels.map(\.card)).sorted().filter { !mayDraw($0) }
        guard closed.isEmpty else {
            return .warning(
                name, "this user may not draw at \(closed.map { "/dev/dri/\($0)" }.joined(separator: ", "))",
                remedy: "add the kiosk's user to the group video")
        }
        return .ok(name, text)
    }
}
