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
        public let isMirrored: Bool
    }

    /// The highest cost of a frame.
    public enum Effort: Sendable, Hashable {
        /// One binarization and a few candidates, another binarization with the next frame: for cameras.
        case oneTurn
        /// All of them, one after the other, until one shows a symbol: for pictures that are shown once.
        case everything

        /// Modules that may be sampled with each binarization.
        fileprivate var work: Int {
            switch self {
            case .oneTurn: 20_000
            case .everything: 2_000_000
            }
        }
    }

    private var pyramid = Pyramid()
    private var binarization = Binarization()
    private var binary = GreyPicture()
    private var finders = FinderPatterns()
    private var symbol = SymbolReader()
    private var candidates: [SymbolCorners] = []
    private var readings: [Reading] = []
    private var turn = 0

    /// The binarizations for most light, for small modules and sharp shadows, for large modules, and for thin dark
    /// lines.
    private static let binarizations = [
        Binarization.Window(reach: 24, offset: 4), Binarization.Window(reach: 9, offset: 3),
        Binarization.Window(reach: 60, offset: 4), Binarization.Window(reach: 24, offset: -4),
    ]
    private static let mostCandidates = 24
    /// The agreement from which on two patterns are enough for a candidate.
    private static let plainAgreement: Float = 0.8
    /// Pixels from the frame to the corners that are reported: projections have corners at infinity.
    private static let mostDistance: Float = 1e5

    public init() { candidates.reserveCapacity(QRReader.mostCandidates + 1) }

    /// - Returns: the symbols that are found in one of the binarizations.
    public mutating func read(_ frame: borrowing Frame, effort: Effort) -> [Reading] {
        pyramid.fill(frame)
        symbol.begin()
        readings.removeAll()
        if effort == .everything { turn = 0 }
        for _ in 0..<(effort == .oneTurn ? 1 : QRReader.binarizations.count) {
            findPatterns(QRReader.binarizations[turn])
            combine()
            readCandidates(limit: effort.work)
            if readings.isEmpty {
                pair()
                readCandidates(limit: effort.work)
            }
            // The binarization that showed a symbol shows it in the next frame, too.
            if !readings.isEmpty { return readings }
            turn = (turn + 1) % QRReader.binarizations.count
        }
        if effort == .oneTurn { readSum() }
        return readings
    }

    /// Whether a symbol is followed from frame to frame that no frame alone shows well enough: the next frame of the
    /// camera should be read, too.
    public var isFollowing: Bool { symbol.isFollowing }

    /// Forgets the symbol that is followed.
    public mutating func stopFollowing() { symbol.stopFollowing() }

    private mutating func findPatterns(_ window: Binarization.Window) {
        finders.begin()
        for level in 0..<pyramid.levels {
            binarization.apply(pyramid[level], window, to: &binary)
            // Patterns that every second row of a large frame misses are plain in its half.
            finders.search(binary, step: level == 0 && pyramid.levels > 2 ? 2 : 1)
        }
    }

    private mutating func readSum() {
        // The binarization that showed a symbol shows it in the next frame, too.
        if symbol.hasUnread { turn = (turn + QRReader.binarizations.count - 1) % QRReader.binarizations.count }
        if symbol.readSum(), !symbol.decoder.isPart { takeReading() }
    }

    private mutating func readCandidates(limit: Int) {
        for candidate in candidates {
            guard symbol.work < limit else { return }
            let isKnown = readings.contains { $0.encloses(candidate[.upperLeft].centre) }
            guard !isKnown else { continue }
            let level = pyramid.level(module: candidate[.upperLeft].module)
            if symbol.read(candidate, pyramid[level]), !symbol.decoder.isPart { takeReading() }
        }
    }

    /// All sets of three patterns that look like a symbol's, the likeliest first.
    private mutating func combine() {
        candidates.removeAll(keepingCapacity: true)
        let count = finders.found.count
        for first in 0..<count {
            for second in 0..<count where second != first {
                for third in second + 1..<max(count, second + 1) where third != first {
                    keep(SymbolCorners(finders.found[first], finders.found[second], finders.found[third]))
                }
            }
        }
    }

    /// All pairs of plain patterns, with each place of the third one.
    private mutating func pair() {
        candidates.removeAll(keepingCapacity: true)
        let plain = finders.found.filter { $0.agreement > QRReader.plainAgreement }
        for first in plain.indices {
            for second in plain.indices where second != first {
                for missing in [SymbolCorners.Corner.lowerLeft, .upperRight, .upperLeft] {
                    keep(SymbolCorners(plain[first], plain[second], missing: missing))
                }
            }
        }
    }

    private mutating func keep(_ corners: SymbolCorners?) {
        guard let corners else { return }
        let place = candidates.firstIndex { $0.error > corners.error } ?? candidates.count
        guard place < QRReader.mostCandidates else { return }
        candidates.insert(corners, at: place)
        if candidates.count > QRReader.mostCandidates { candidates.removeLast() }
    }

    private mutating func takeReading() {
        let count = symbol.decoder.count
        guard Symbol.payloadLengths.contains(count) else { return }
        let payload = SecretBytes(count: count) { target in
            for index in 0..<count { target[index] = symbol.decoder.text[index] }
        }
        symbol.wipe()
        func pixel(_ value: Float) -> Int { Int(min(max(value, -QRReader.mostDistance), QRReader.mostDistance)) }
        let corners = symbol.outline.map { (pixel($0.x), pixel($0.y)) }
        readings.append(Reading(payload: payload, corners: corners, isMirrored: symbol.isMirrored))
    }
}

extension QRReader.Reading {
    func encloses(_ point: Point) -> Bool {
        (0..<4).allSatisfy { index in
            let (start, end) = (corners[index], corners[(index + 1) % 4])
            let side = Point(Float(end.x - start.x), Float(end.y - start.y))
            return Point.cross(side, point - Point(Float(start.x), Float(start.y))) > 0
        }
    }
}
