// SPDX-License-Identifier: Apache-2.0

public import KioskPorts
public import LoginValues

/// Reads QR codes that are bent, blurred, tilted, partly hidden or too bright in part, by ISO/IEC 18004.
public struct QRReader: ~Copyable {
    /// A text, and where its symbol lies.
    public struct Reading {
        public let payload: SecretBytes
        /// In pixels of the frame, clockwise.
        public let corners: [(x: Int, y: Int)]
    }

    private var pyramid = Pyramid()
    private var binarization = Binarization()
    private var binary = GreyPicture()
    private var finders = FinderPatterns()
    private var symbol = SymbolReader()
    private var candidates: [SymbolCorners] = []

    /// The window of each binarization to each side, and by how much a dark pixel is darker than its mean.
    private static let binarizations: [(reach: Int, offset: Int32)] = [(24, 4), (9, 3), (60, 4), (24, -4)]
    private static let mostCandidates = 24

    public init() { candidates.reserveCapacity(QRReader.mostCandidates + 1) }

    /// - Returns: the first symbol that is read; nil where there is none.
    public mutating func read(_ frame: borrowing Frame) -> Reading? {
        pyramid.fill(frame)
        symbol.begin()
        for (reach, offset) in QRReader.binarizations {
            finders.begin()
            for level in 0..<pyramid.levels {
                binarization.apply(pyramid[level], reach: reach, offset: offset, to: &binary)
                finders.search(binary, scale: pyramid.scale(level), step: level == 0 && pyramid.levels > 2 ? 2 : 1)
            }
            combine()
            for candidate in candidates {
                if symbol.read(candidate, pyramid), !symbol.decoder.isPart { return reading() }
            }
        }
        return nil
    }

    /// All sets of three patterns that look like a symbol's, the likeliest first.
    private mutating func combine() {
        candidates.removeAll(keepingCapacity: true)
        let found = finders.found
        for first in found.indices {
            for second in found.indices where second != first {
                for third in found.indices where third > second && third != first {
                    guard let corners = SymbolCorners(found[first], found[second], found[third]) else { continue }
                    let place = candidates.firstIndex { $0.error > corners.error } ?? candidates.count
                    if place < QRReader.mostCandidates { candidates.insert(corners, at: place) }
                    if candidates.count > QRReader.mostCandidates { candidates.removeLast() }
                }
            }
        }
    }

    private mutating func reading() -> Reading? {
        let count = symbol.decoder.count
        guard Symbol.payloadLengths.contains(count) else { return nil }
        let payload = SecretBytes(count: count) { target in
            for index in 0..<count { target[index] = symbol.decoder.text[index] }
        }
        symbol.decoder.wipe()
        return Reading(payload: payload, corners: symbol.outline.map { (Int($0.x), Int($0.y)) })
    }
}
