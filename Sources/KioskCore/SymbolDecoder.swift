// SPDX-License-Identifier: Apache-2.0

/// Reads QR codes in a frame.
public protocol SymbolDecoder: ~Copyable {
    /// The symbols in view, the one nearest to the frame's centre first. Never a text that is not in the picture:
    /// a damaged, partial or foreign code yields nothing.
    mutating func symbols(in frame: borrowing Frame) -> [Symbol]
}
