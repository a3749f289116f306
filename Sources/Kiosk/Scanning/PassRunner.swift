// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import QRReader

/// Runs passes. Later passes reuse what a pass has prepared of a frame, and its memory.
struct PassRunner: ~Copyable {
    private var zbar = ZBarDecoder()
    private var zxing = ZXingDecoder(binarizer: .none)
    private var own = QRReader()
    private var localAverage = LocalAverage()
    private var prepared = PreparedFrame()
    /// A picture in black and white for zxing-cpp.
    private let binary = LumaBuffer()
    /// The work that zxing-cpp got in this frame.
    private(set) var work = PatternWork(mostSets: 0)

    /// Whether the pass before found mirror images alone, as far as its decoder can detect.
    private(set) var isMirrored = false

    /// Whether the scanner's own reader follows a symbol that no frame alone shows well enough.
    var isFollowing: Bool { own.isFollowing }
    mutating func stopFollowing() { own.stopFollowing() }

    /// Begins with a frame of a camera or of pictures.
    ///
    /// - Parameter sets: sets of three finder patterns that zxing-cpp may try in all passes together.
    mutating func begin(sets: Int) {
        prepared.forget()
        work = PatternWork(mostSets: sets)
    }

    /// Symbols in no order, with positions in pixels of `frame`.
    mutating func symbols(by pass: ScanPass, in frame: borrowing Frame) -> [Symbol] {
        if pass.scale == .full { return read(frame, by: pass) }
        guard let picture = prepared.picture(at: pass.scale, of: frame) else { return [] }
        let found = picture.withFrame(captured: frame.captured) { read($0, by: pass) }
        return found.map { $0.placed(from: pass.scale, in: frame) }
    }

    /// The same in a part of a frame. What was prepared of the frame or of the part is forgotten.
    mutating func symbols(by pass: ScanPass, in region: Track.Region, of frame: borrowing Frame) -> [Symbol] {
        let found = frame.withRegion(region) { symbols(by: pass, in: $0) }
        prepared.forget()
        return found.map { $0.moved(x: region.x, y: region.y, in: frame) }
    }

    private mutating func read(_ frame: borrowing Frame, by pass: ScanPass) -> [Symbol] {
        if pass.tone == .grey, !pass.isInverted { return decode(frame, by: pass.reader) }
        let toned = prepared.toned(frame, for: pass)
        return toned.withFrame(captured: frame.captured) { decode($0, by: pass.reader) }
    }

    private mutating func decode(_ frame: borrowing Frame, by reader: ScanPass.Reader) -> [Symbol] {
        isMirrored = false
        switch reader {
        case .zbar: return zbar.found(in: frame)
        case .zxing(.none): return readCounted(frame, of: frame)
        case .zxing(let binarizer):
            let hasContrast =
                binarizer == .localAverage
                ? localAverage.apply(frame, to: binary) : GlobalHistogram.apply(frame, to: binary)
            guard hasContrast else { return [] }
            return binary.withFrame(captured: frame.captured) { readCounted($0, of: frame) }
        case .own(let isThorough):
            let readings = own.read(frame, effort: isThorough ? .everything : .oneTurn)
            isMirrored = !readings.isEmpty && readings.allSatisfy(\.isMirrored)
            return readings.compactMap {
                Symbol(payload: $0.payload, parts: 1, sighting: SymbolSighting(corners: $0.corners, in: frame))
            }
        }
    }

    /// Gives a black and white picture to zxing-cpp, unless it shows so many finder patterns that this would take too
    /// long.
    private mutating func readCounted(_ frame: borrowing Frame, of original: borrowing Frame) -> [Symbol] {
        guard work.admits(frame) else { return [] }
        let found = zxing.found(in: frame, of: original)
        isMirrored = zxing.isMirrored
        return found
    }
}
