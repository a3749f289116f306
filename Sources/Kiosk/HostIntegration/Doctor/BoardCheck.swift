// SPDX-License-Identifier: Apache-2.0

/// Names the machine and its kernel, and their parts that the kiosk needs but that are switched off.
public enum BoardCheck {
    private static let deviceTree = "proc/device-tree"

    /// - Parameter pageSize: of the running kernel, in bytes.
    public static func result(_ tree: SystemTree, pageSize: Int) -> CheckResult {
        var parts = [model(tree) ?? "this machine", "pages of \(pageSize / 1024) KiB"]
        if let source = tree.line("sys/devices/system/clocksource/clocksource0/current_clocksource") {
            parts.append("clock source \(printable(source))")
        }
        if tree.isThere(deviceTree) {
            // Overlays of this kiosk add names that begin with it.
            let keypads = tree.names(deviceTree) { $0.hasPrefix("login-kiosk") }.map(printable)
            parts.append(keypads.isEmpty ? "no overlay of this kiosk" : "overlay " + keypads.joined(separator: ", "))
        }
        if let modules = tree.line("sys/kernel/security/lsm"), !modules.split(separator: ",").contains("landlock") {
            parts.append("no Landlock among its security modules (\(printable(modules)))")
        }
        return .ok(parts.joined(separator: "; "))
    }

    private static func model(_ tree: SystemTree) -> String? {
        (tree.line("\(deviceTree)/model") ?? tree.line("sys/class/dmi/id/product_name")).map(printable)
    }

    /// Keeps the printable ASCII characters of a text, at most 80: a firmware may give itself any name.
    static func printable(_ text: String) -> String {
        String(
            text.unicodeScalars.filter { $0.isASCII && $0.value >= 32 && $0.value != 127 }.prefix(80).map(
                Character.init))
    }
}
