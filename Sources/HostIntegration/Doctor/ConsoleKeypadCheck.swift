// SPDX-License-Identifier: Apache-2.0

/// Whether a person can press keys at the kiosk's own terminal.
public enum ConsoleKeypadCheck {
    /// - Parameter devices: the content of ``InputDevices/path``; nil where the kernel does not tell.
    public static func judge(devices: String?) -> CheckResult {
        let keyboards = InputDevices.keyboards(in: devices ?? "")
        guard let first = keyboards.first else {
            return .warning(
                "keypad", "keys come from the terminal that the kiosk runs on, and no keyboard is plugged in",
                remedy: "plug one in, unless the kiosk is used over a serial line or ssh")
        }
        return .ok("keypad", "keys come from the terminal that the kiosk runs on; \(first) is plugged in")
    }
}
