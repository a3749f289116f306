// SPDX-License-Identifier: Apache-2.0

/// Counters of a scanner process since its start.
public struct ScannerStatistics: Sendable, Equatable {
    /// Frames that were looked at.
    public var frames: UInt64 = 0
    /// Frames that were replaced by a newer one before they could be looked at.
    public var dropped: UInt64 = 0
    /// Symbols that were read, reported or not.
    public var symbols: UInt64 = 0
    /// Symbols that were not reported because the same one had just been.
    public var repeats: UInt64 = 0
    /// The time that was spent on looking.
    public var decoding: Duration = .zero

    public init() {}
}
