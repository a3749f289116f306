// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
import LoginValues

/// Keeps a symbol that stays in view from being reported with every frame.
///
/// The rule: a payload that was reported is not reported again within the next `distance` frames. It counts frames, not
/// time, and suppresses no payload for ever: the reader of the reports decides the meaning of a repeated symbol.
public struct RepeatFilter {
    /// Payloads that are remembered; more than that in view at once are repeated earlier.
    public static let capacity = 255

    private let distance: UInt64
    private var reported: [(symbol: Symbol, frame: UInt64)] = []

    public init(distance: UInt64) {
        self.distance = distance
    }

    /// Whether the symbol is to be reported.
    ///
    /// - Parameter frame: the number of its frame; it never decreases.
    public mutating func admits(_ symbol: Symbol, frame: UInt64) -> Bool {
        reported.removeAll { frame - $0.frame > distance }
        guard !reported.contains(where: { $0.symbol.payload == symbol.payload }) else { return false }
        if reported.count == RepeatFilter.capacity { reported.removeFirst() }
        reported.append((symbol, frame))
        return true
    }

    /// Forgets all, so that what is in view is reported at once.
    public mutating func reset() {
        reported.removeAll(keepingCapacity: true)
    }
}
