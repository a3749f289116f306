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

    private let binarizer: Binarizer
    private let effort: Effort
    /// Whether all that was found last is mirrored.
    private(set) var isMirrored = false
    private var results = [czxing_symbol](repeating: czxing_symbol(), count: capacity)
    private var payloads = [UInt8](repeating: 0, count: capacity * Symbol.payloadLengths.upperBound)

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
        sortedByCentre(found(in: frame, of: frame))
    }

    /// Symbols in the library's order, with positions in pixels of `frame`.
    ///
    /// - Parameter original: the picture from which `frame` was prepared: light and sharpness are measured in it.
    mutating func found(in frame: borrowing Frame, of original: borrowing Frame) -> [Symbol] {
        let found = read(frame)
        isMirrored = !found.isEmpty && found.allSatisfy { $0.is_mirrored != 0 }
        // A payload may be a login code.
        defer { for index in 0..<(found.map { $0.offset + $0.length }.max() ?? 0) { payloads[index] = 0 } }
        let whole = found.filter { $0.parts < 0 }.compactMap { symbol(of: [$0], in: original) }
        return whole + joined(found.filter { $0.parts >= 0 }, in: original)
    }

    /// Results whose bytes are in ``payloads``.
    private mutating func read(_ frame: borrowing Frame) -> [czxing_symbol] {
        let kind: czxing_binarizer =
            switch binarizer {
            case .localAverage: CZXING_LOCAL_AVERAGE
            case .globalHistogram: CZXING_GLOBAL_HISTOGRAM
            case .none: CZXING_BLACK_AND_WHITE
            }
        let (capacity, room) = (Int32(results.count), payloads.count)
        let (width, height, stride) = (Int32(frame.width), Int32(frame.height), Int32(frame.stride))
        let triesMore: Int32 = effort == .everything ? 1 : 0
        let count = unsafe frame.withUnsafePixels { pixels in
            // Safe: the frame holds as many rows of that stride, and both counts are the arrays' own.
            unsafe czxing_read(
                pixels.baseAddress, width, height, stride, kind, triesMore, &results, capacity, &payloads, room)
        }
        return Array(results.prefix(max(Int(count), 0)))
    }

    /// One symbol for each set whose parts are all among the results.
    private func joined(_ results: [czxing_symbol], in frame: borrowing Frame) -> [Symbol] {
        var symbols: [Symbol] = []
        var rest = results
        while let first = rest.first {
            let set = rest.filter { $0.parts == first.parts && $0.parity == first.parity }
            rest.removeAll { $0.parts == first.parts && $0.parity == first.parity }
            var parts: [czxing_symbol] = []
            for place in 0..<max(first.parts, 0) {
                if let part = set.first(where: { $0.part == place }) { parts.append(part) }
            }
            guard !parts.isEmpty, parts.count == Int(first.parts), parity(of: parts) == first.parity else { continue }
            if let symbol = symbol(of: parts, in: frame) { symbols.append(symbol) }
        }
        return symbols
    }

    /// All bytes of the whole text, combined by exclusive or.
    private func parity(of parts: [czxing_symbol]) -> Int32 {
        var parity: UInt8 = 0
        for part in parts {
            for index in part.offset..<part.offset + part.length { parity ^= payloads[index] }
        }
        return Int32(parity)
    }

    private func symbol(of parts: [czxing_symbol], in frame: borrowing Frame) -> Symbol? {
        let count = parts.reduce(0) { $0 + $1.length }
        let payload = SecretBytes(count: count) { target in
            var next = 0
            for part in parts {
                for index in part.offset..<part.offset + part.length {
                    target[next] = payloads[index]
                    next += 1
                }
            }
        }
        let (x, y) = (parts[0].x, parts[0].y)
        let corners = [(x.0, y.0), (x.1, y.1), (x.2, y.2), (x.3, y.3)].map { (x: Int($0.0), y: Int($0.1)) }
        return Symbol(
            payload: payload, parts: parts.count, sighting: SymbolSighting(corners: corners, in: frame))
    }
}
