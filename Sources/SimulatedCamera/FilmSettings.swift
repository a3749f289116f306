// SPDX-License-Identifier: Apache-2.0

/// What the simulated camera delivers.
public struct FilmSettings: Sendable, Equatable {
    /// Pixels.
    public var width: Int
    public var height: Int
    /// Frames a second.
    public var rate: Int
    /// Chooses the hand that holds the display, and the sensor's noise: the same seed gives the same film.
    public var seed: UInt64

    public init(width: Int = 640, height: Int = 480, rate: Int = 10, seed: UInt64 = 1) {
        precondition((16...4096).contains(width) && (16...4096).contains(height) && (1...120).contains(rate))
        self.width = width
        self.height = height
        self.rate = rate
        self.seed = seed
    }
}
