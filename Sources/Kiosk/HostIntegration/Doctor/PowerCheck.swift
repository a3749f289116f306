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

    private static let name = "power"
    private static let sinceStart = 16

    /// Whether the power supply gives too little now; nil for a machine that does not report it.
    public static func isTooLittle(_ tree: SystemTree) -> Bool? {
        let alarm = tree.entry(of: "sys/class/hwmon", called: "rpi_volt").flatMap {
            tree.number("\($0)/in0_lcrit_alarm")
        }
        guard let report = firmwareReport(tree) else { return alarm.map { $0 != 0 } }
        return alarm == 1 || report >> Condition.underVoltage.rawValue & 1 == 1
    }

    /// - Returns: nil for a machine that does not report it.
    public static func judge(_ tree: SystemTree) -> CheckResult? {
        let alarm = tree.entry(of: "sys/class/hwmon", called: "rpi_volt").flatMap {
            tree.number("\($0)/in0_lcrit_alarm")
        }
        guard let report = firmwareReport(tree) else { return alarm.map { judge(alarm: $0) } }
        var now = Condition.allCases.filter { report >> $0.rawValue & 1 == 1 }
        if alarm == 1, !now.contains(.underVoltage) { now.insert(.underVoltage, at: 0) }
        let before = Condition.allCases.filter { report >> ($0.rawValue + sinceStart) & 1 == 1 && !now.contains($0) }
        let texts = now.map { "\($0.text) now" } + before.map { "\($0.text), at some time since the start" }
        guard !texts.isEmpty else { return .ok(name, "enough, and no throttling since the start") }
        return .warning(name, texts.joined(separator: "; "), remedy: remedy((now + before).contains(.underVoltage)))
    }

    private static func judge(alarm: Int) -> CheckResult {
        alarm == 0
            ? .ok(name, "enough now; this kernel does not tell about throttling")
            : .warning(name, "\(Condition.underVoltage.text) now", remedy: remedy(true))
    }

    private static func remedy(_ isVoltage: Bool) -> String {
        isVoltage
            ? "use the board's own power supply and a short, thick cable; give cameras and keypads a powered hub"
            : "give it a heat sink or a fan, and room for air"
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
