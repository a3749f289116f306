// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Whether a person can press keys at the kiosk's own terminal.
public enum ConsoleKeypadCheck {
    /// - Parameters:
    ///   - devices: ``InputDevices/list``; nil when the kernel has none.
    ///   - keepsNumLock: whether the terminal is a console on which the kiosk keeps NumLock on.
    public static func result(devices: String?, keepsNumLock: Bool) -> CheckResult {
        let keyboards = InputDevices.keyboards(in: devices ?? "")
        guard let first = keyboards.first else {
            return .warning(
                "keys come from the terminal that the kiosk runs on, and no keyboard is plugged in",
                remedy: "plug one in, unless the kiosk is used over a serial line or ssh")
        }
        let numLock = keepsNumLock ? "" : "; whether NumLock is on cannot be detected here: a number pad needs it"
        return .ok("keys come from the terminal that the kiosk runs on; \(first) is plugged in\(numLock)")
    }
}

/// The kernel's list of input devices, `/proc/bus/input/devices`.
public enum InputDevices {
    /// Its content, which may have many pages of memory; nil when the kernel has none.
    public static var list: String? {
        (try? OpenedFile.read("/proc/bus/input/devices", upTo: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names of its keyboards: devices with all keys from Escape to D, as udev defines them. A power button is not
    /// included.
    public static func keyboards(in list: String) -> [String] {
        var name = ""
        var keyboards: [String] = []
        for line in list.split(separator: "\n") {
            if line.hasPrefix("N: Name=") {
                name = line.dropFirst(8).filter { $0 != "\"" }
            } else if line.hasPrefix("B: KEY="), let lowest = line.dropFirst(7).split(separator: " ").last,
                let keys = UInt64(lowest, radix: 16), keys & 0xFFFF_FFFE == 0xFFFF_FFFE
            {
                keyboards.append(name)
            }
        }
        return keyboards
    }
}
