// SPDX-License-Identifier: Apache-2.0

/// The kernel's list of input devices, `/proc/bus/input/devices`.
public enum InputDevices {
    public static let path = "/proc/bus/input/devices"

    /// The names of the keyboards in it: of what has all keys from Escape to D, as udev sees it too. A power button is
    /// none.
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
