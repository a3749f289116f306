// SPDX-License-Identifier: Apache-2.0

import CZXing
public import KioskPorts
import LoginValues

/// zxing-cpp on the frame as it is.
///
/// The bytes are taken as they stand in the code, without a guess at their character set. A single code of a
/// structured-append set is no symbol. All codes of a set in one frame are joined in order to one symbol, if the set's
/// parity confirms that they belong together (ISO/IEC 18004, structured append). The library reads no light codes on
/// dark.
public struct ZXingDecoder: ~Copyable, SymbolDecoder {
    /// The method that converts the frame to black and white.
    public enum Binarizer: Sendable, Equatable, Hashable {
        /// Each pixel against its neighbourhood.
        case localAverage
        /// One threshold for all.
        case globalHistogram
        /// The frame is so already.
        case none
    }

    /// The most codes that are looked for in one frame: a page of stickers, and the most that the library takes.
    private static let capacity = 255

    let binarizer: Binarizer
    let effort: Effort
    /// Whether all that was found last is mirrored.
    var isMirrored = false
    var results = [czxing_symbol](repeating: czxing_symbol(), count: capacity)
    var payloads = [UInt8](repeating: 0, count: capacity * Symbol.payloadLengths.upperBound)

    /// The attempts that the library makes by itself.
    public enum Effort: Sendable {
        /// The frame as it is: what a scanner's own passes need.
        case plain
        /// Everything that it can: turned and shrunken frames too.
        case everything
    }

    public init(binarizer: Binarizer = .localAverage, effort: Effort = .plain) {
        self.binarizer = binarizer
        self.effort = effort
    }

    public mutating func symbols(in frame: borrowing Frame) -> [Symbol] {
        sortedByCentre(found(in: frame))
    }
}
