// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts

/// Distinguishes a code that came into view from one that stayed there.
struct SymbolsInView {
    private static let capacity = 256

    private var lastSeen: [CodeDigest: Duration] = [:]

    /// Whether the code was not in view before. It leaves the view when it is not seen for
    /// `KioskTiming.codeLeavesView`.
    mutating func isNew(_ symbol: Symbol) -> Bool {
        let now = symbol.sighting.captured
        lastSeen = lastSeen.filter { now - $0.value < KioskTiming.codeLeavesView }
        let digest = CodeDigest(symbol.payload)
        let isNew = lastSeen[digest] == nil
        if isNew, lastSeen.count == SymbolsInView.capacity, let oldest = lastSeen.min(by: { $0.value < $1.value }) {
            lastSeen[oldest.key] = nil
        }
        lastSeen[digest] = now
        return isNew
    }
}
