// SPDX-License-Identifier: Apache-2.0

/// One way to prepare a frame before zbar looks at it.
public struct ScanPass: Sendable, Equatable {
    /// Whether the frame is halved first.
    public var isHalved: Bool
    /// The window of the adaptive threshold, an odd number of pixels; nil leaves the greys.
    public var thresholdWindow: Int?

    /// As captured: what zbar is best at on paper.
    public static let raw = ScanPass(isHalved: false, thresholdWindow: nil)
    /// Codes on displays; small ones.
    public static let threshold = ScanPass(isHalved: false, thresholdWindow: 31)
    /// Codes on displays from near, at a quarter of the cost.
    public static let halfThreshold = ScanPass(isHalved: true, thresholdWindow: 31)

    /// The default order: what finds most at the least cost comes first.
    public static let standard: [ScanPass] = [.halfThreshold, .threshold, .raw]
}
