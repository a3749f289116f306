// SPDX-License-Identifier: Apache-2.0

/// What was measured at the wires of a matrix while, as far as anybody knows, no key is down.
///
/// A bit stands for each wire, in the order of ``MatrixSize/wires``; it is set where the wire was active.
public struct WiringMeasurement: Hashable, Sendable {
    public let size: MatrixSize
    /// Several looks while all wires are inputs with a pull to the inactive level.
    public var atRest: [UInt64]
    /// For each wire a look while it alone is driven active, all others as before.
    public var whileDriven: [UInt64]

    public init(_ size: MatrixSize, atRest: [UInt64] = [], whileDriven: [UInt64] = []) {
        self.size = size
        self.atRest = atRest
        self.whileDriven = whileDriven
    }
}
