// SPDX-License-Identifier: Apache-2.0

/// The rate of pictures and clips, and whether they are repeated.
public struct Playback: Sendable, Equatable {
    /// Frames a second that may be asked for.
    public static let rates = 0.1...1000.0

    /// Frames a second; nil means a clip's own rate, and 10 for pictures.
    public var rate: Double?
    /// Whether the first frame follows the last one.
    public var loops: Bool

    public init(rate: Double? = nil, loops: Bool = false) {
        precondition(rate.map(Playback.rates.contains) ?? true)
        self.rate = rate
        self.loops = loops
    }
}
