// SPDX-License-Identifier: Apache-2.0

public import KioskCore

/// Reads QR codes in frames by several passes of zbar, each on another preparation of the frame.
public struct Scanner: ~Copyable, SymbolDecoder {
    private let effort: ScanEffort
    private var decoder = ZBarDecoder()
    private var passes: [PreparedScan]
    // The pass to start with.
    private var current = 0

    /// - Parameter passes: in the order in which they are tried; at least one.
    public init(effort: ScanEffort, passes: [ScanPass] = ScanPass.standard) {
        precondition(!passes.isEmpty)
        self.effort = effort
        self.passes = passes.map { PreparedScan($0) }
    }

    public mutating func symbols(in frame: borrowing Frame) -> [Symbol] {
        let attempts = effort == .untilFound ? passes.count : 1
        for _ in 0..<attempts {
            let found = passes[current].symbols(in: frame, by: &decoder)
            if !found.isEmpty { return sortedByCentre(found) }
            current = (current + 1) % passes.count
        }
        return []
    }
}
