// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// What a pad at GPIO lines has to say, positions of keys included: for tests of the wiring, not for logs.
public enum MatrixReport: Hashable, Sendable {
    /// The lines are there, and this is wrong with them.
    case opened([WiringFinding])
    case event(MatrixEvent)
    /// So many edges came and were not read in time. Keys are read anew after that.
    case edgesLost(Int)
    /// The lines cannot be had, or not any more; they are asked for again every second.
    case failed(LineError)
}
