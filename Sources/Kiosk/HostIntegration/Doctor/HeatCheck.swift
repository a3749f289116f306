// SPDX-License-Identifier: Apache-2.0

/// The temperature of the machine.
public enum HeatCheck {
    private static let name = "heat"
    /// In thousandths of a degree; outside of it a sensor is broken.
    private static let plausible = -40_000...150_000
    /// A Raspberry Pi slows down from 80 degrees on.
    private static let limit = 80_000

    /// The highest temperature in degrees Celsius; nil for a machine without a sensor.
    public static func celsius(_ tree: SystemTree) -> Double? { highest(tree).map { Double($0) / 1000 } }

    private static func highest(_ tree: SystemTree) -> Int? {
        let zones = tree.names("sys/class/thermal") { $0.hasPrefix("thermal_zone") }
        return zones.compactMap { tree.number("sys/class/thermal/\($0)/temp") }.filter(plausible.contains).max()
    }

    /// - Returns: nil for a machine without a sensor.
    public static func judge(_ tree: SystemTree) -> CheckResult? {
        guard let highest = highest(tree) else { return nil }
        let text = "\(highest / 1000) degrees Celsius"
        guard highest >= limit else { return .ok(name, text) }
        return .warning(
            name, "\(text): it slows down from \(limit / 1000) on",
            remedy: "give it a heat sink or a fan, and room for air")
    }
}
