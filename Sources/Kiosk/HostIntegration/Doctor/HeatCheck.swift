// SPDX-License-Identifier: Apache-2.0

/// The temperature of the machine.
public enum HeatCheck {
    /// Plausible temperatures in thousandths of a degree; a sensor with any other value is broken.
    private static let plausible = -40_000...150_000
    /// A Raspberry Pi slows down from 80 degrees on.
    private static let limit = 80.0
    static let remedy = "give it a heat sink or a fan, and room for air"

    /// The highest temperature in degrees Celsius; nil for a machine without a sensor.
    public static func celsius(_ tree: SystemTree) -> Double? {
        let zones = tree.names("sys/class/thermal") { $0.hasPrefix("thermal_zone") }
        return zones.compactMap { tree.number("sys/class/thermal/\($0)/temp") }.filter(plausible.contains).max()
            .map { Double($0) / 1000 }
    }

    /// - Returns: nil for a machine without a sensor.
    public static func result(_ tree: SystemTree) -> CheckResult? {
        guard let highest = celsius(tree) else { return nil }
        let text = "\(Int(highest)) degrees Celsius"
        guard highest >= limit else { return .ok(text) }
        return .warning("\(text): it slows down from \(Int(limit)) on", remedy: remedy)
    }
}
