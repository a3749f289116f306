// SPDX-License-Identifier: Apache-2.0

/// Whether a Raspberry Pi gets enough power and stays cool enough to run at full speed. Without that pictures come
/// late, USB devices vanish, and cards break.
public enum PowerCheck {
    /// Conditions in the firmware's report (`vcgencmd get_throttled`): the lower half is now, the upper half since the
    /// start.
    private enum Condition: Int, CaseIterable {
        case underVoltage = 0, frequencyCapped, throttled, softTemperatureLimit

        var text: String {
            switch self {
            case .underVoltage: "the power supply gives too little"
            case .frequencyCapped: "the processor's speed is capped"
            case .throttled: "the processor is throttled"
            case .softTemperatureLimit: "it is slowed down for its temperature"
            }
        }
    }

    private static let sinceStart = 16

    /// Whether the power supply gives too little now; nil for a machine that does not report it.
    public static func isTooLittle(_ tree: SystemTree) -> Bool? {
        report(tree).map { $0.bits >> Condition.underVoltage.rawValue & 1 == 1 }
    }

    /// - Returns: nil for a machine that does not report it.
    public static func result(_ tree: SystemTree) -> CheckResult? {
        guard let (bits, hasThrottling) = report(tree) else { return nil }
        let now = Condition.allCases.filter { bits >> $0.rawValue & 1 == 1 }
        let before = Condition.allCases.filter { bits >> ($0.rawValue + sinceStart) & 1 == 1 && !now.contains($0) }
        let texts = now.map { "\($0.text) now" } + before.map { "\($0.text), at some time since the start" }
        guard !texts.isEmpty else {
            return .ok(
                hasThrottling
                    ? "enough, and no throttling since the start"
                    : "enough now; this kernel does not report throttling")
        }
        return .warning(
            texts.joined(separator: "; "),
            remedy: (now + before).contains(.underVoltage)
                ? "use the board's own power supply and a short, thick cable; give cameras and keypads a powered hub"
                : HeatCheck.remedy)
    }

    /// The firmware's report, the kernel's own alarm included; the alarm alone where the kernel does not pass the
    /// report on.
    private static func report(_ tree: SystemTree) -> (bits: UInt32, hasThrottling: Bool)? {
        let alarm = tree.entry(of: "sys/class/hwmon", called: "rpi_volt").flatMap {
            tree.number("\($0)/in0_lcrit_alarm")
        }
        let report = firmwareReport(tree)
        guard alarm != nil || report != nil else { return nil }
        return ((report ?? 0) | (alarm ?? 0 == 0 ? 0 : 1 << Condition.underVoltage.rawValue), report != nil)
    }

    /// Reads a hexadecimal number, in a directory named after the board's bus.
    private static func firmwareReport(_ tree: SystemTree) -> UInt32? {
        let platform = "sys/devices/platform"
        for bus in tree.names(platform, { $0.hasPrefix("soc") }) {
            for part in tree.names("\(platform)/\(bus)", { $0.hasSuffix(":firmware") }) {
                guard let line = tree.line("\(platform)/\(bus)/\(part)/get_throttled") else { continue }
                return UInt32(line.hasPrefix("0x") ? String(line.dropFirst(2)) : line, radix: 16)
            }
        }
        return nil
    }
}
