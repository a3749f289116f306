// SPDX-License-Identifier: Apache-2.0

/// Orders the formats of a camera, the best first.
///
/// A code is read from 640 x 480 pixels on, more than 1280 x 720 costs time and gains little, and below 15 frames a
/// second people wait. Between formats that are equal in this, the one whose luma is cheaper to read wins.
enum FormatChoice {
    private static let smallest = 640 * 480
    private static let best = 1280 * 720
    private static let fluentRate = 14.5
    /// The rate that is wanted, and that a camera is taken to have if its driver does not say.
    private static let usualRate = 30.0

    static func ranked(_ offered: [CameraFormat], for settings: CameraSettings) -> [CameraFormat] {
        offered.filter { format in
            (settings.format.map { $0 == format.code } ?? true)
                && (settings.size.map { $0.width == format.width && $0.height == format.height } ?? true)
        }.sorted { key($0, settings).lexicographicallyPrecedes(key($1, settings)) }
    }

    /// Smaller is better, from the first number on.
    private static func key(_ format: CameraFormat, _ settings: CameraSettings) -> [Double] {
        let area = Double(format.width * format.height)
        let cost = Double(LumaLayout(format.code).cost)
        let rate = format.rate ?? usualRate
        // When the operator asks for a rate, the nearest one wins.
        let slowness = settings.rate.map { abs($0 - (format.rate ?? $0)) } ?? (rate < fluentRate ? 1 : 0)
        // A format that the library must convert is the last resort.
        let isConverted: Double = LumaLayout(format.code) == .converted ? 1 : 0
        return if area > Double(best) {
            [isConverted, slowness, 1, area, cost, -(format.rate ?? 0)]
        } else {
            [isConverted, slowness, area < Double(smallest) ? 2 : 0, -area, cost, abs(rate - usualRate)]
        }
    }
}
