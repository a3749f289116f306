// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import QRReader

/// Carries passes out. What one pass has prepared of a frame serves the next ones; the memory is used again and again.
struct PassRunner: ~Copyable {
    private var zbar = ZBarDecoder()
    private var zxing = ZXingDecoder(binarizer: .none)
    private var own = QRReader()
    private var threshold = AdaptiveThreshold()
    private var localAverage = LocalAverage()
    private let half = LumaBuffer()
    private let third = LumaBuffer()
    private let quarter = LumaBuffer()
    private let enlarged = LumaBuffer()
    private let narrow = LumaBuffer()
    private let toned = LumaBuffer()
    private let binary = LumaBuffer()
    // Content of the buffers for the current frame.
    private var hasHalf = false
    private var hasThird = false
    private var hasQuarter = false
    private var tonedFor: ScanPass?
    /// The work that zxing-cpp got in this frame.
    private(set) var work = PatternWork(mostSets: 0)

    /// Whether the pass before found mirror images alone, as far as its decoder can tell.
    private(set) var isMirrored = false

    /// Whether the scanner's own reader follows a symbol that no frame alone shows well enough.
    var isFollowing: Bool { own.isFollowing }
    mutating func stopFollowing() { own.stopFollowing() }

    /// Begins with a frame of a camera or of pictures.
    ///
    /// - Parameter sets: sets of three finder patterns that zxing-cpp may try in all passes together.
    mutating func begin(sets: Int) {
        forgetPreparations()
        work = PatternWork(mostSets: sets)
    }

    /// Forgets what was prepared. To be called before the first pass on another frame, or on a part of one.
    mutating func forgetPreparations() {
        (hasHalf, hasThird, hasQuarter, tonedFor) = (false, false, false, nil)
    }

    /// Symbols in no order, with positions in pixels of `frame`.
    mutating func symbols(by pass: ScanPass, in frame: borrowing Frame) -> [Symbol] {
        switch pass.scale {
        case .full: return read(frame, by: pass)
        case .half:
            guard frame.width >= 2, frame.height >= 2 else { return [] }
            prepareHalf(of: frame)
            let found = half.withFrame(captured: frame.captured) { read($0, by: pass) }
            return found.map { $0.scaled(by: 2, in: frame) }
        case .narrow:
            guard frame.width >= 2 else { return [] }
            Narrowing.apply(frame, to: narrow)
            let found = narrow.withFrame(captured: frame.captured) { read($0, by: pass) }
            return found.map { $0.widened(in: frame) }
        case .third:
            guard frame.width >= 3, frame.height >= 3 else { return [] }
            if !hasThird {
                ThirdScale.apply(frame, to: third)
                hasThird = true
            }
            let found = third.withFrame(captured: frame.captured) { read($0, by: pass) }
            return found.map { $0.scaled(by: 3, in: frame) }
        case .quarter:
            guard frame.width >= 4, frame.height >= 4 else { return [] }
            prepareHalf(of: frame)
            if !hasQuarter {
                half.withFrame(captured: frame.captured) { HalfScale.apply($0, to: quarter) }
                hasQuarter = true
            }
            let found = quarter.withFrame(captured: frame.captured) { read($0, by: pass) }
            return found.map { $0.scaled(by: 4, in: frame) }
        case .enlarged:
            guard max(frame.width, frame.height) <= Enlargement.largestSide else { return [] }
            Enlargement.apply(frame, to: enlarged)
            let found = enlarged.withFrame(captured: frame.captured) { read($0, by: pass) }
            return found.map { $0.reduced(in: frame) }
        }
    }

    private mutating func prepareHalf(of frame: borrowing Frame) {
        guard !hasHalf else { return }
        HalfScale.apply(frame, to: half)
        hasHalf = true
    }

    private mutating func read(_ frame: borrowing Frame, by pass: ScanPass) -> [Symbol] {
        if pass.tone == .grey, !pass.isInverted { return decode(frame, by: pass.reader) }
        // The same tone may be wanted by another reader.
        var preparation = pass
        preparation.reader = .zbar
        if tonedFor != preparation || pass.scale == .enlarged {
            switch pass.tone {
            case .grey: Inversion.apply(frame, to: toned)
            case .stretched: ContrastStretch.apply(frame, to: toned)
            case .threshold(let window, let offset):
                threshold.apply(frame, window: window, offset: offset, isInverted: pass.isInverted, to: toned)
            }
            tonedFor = preparation
        }
        return toned.withFrame(captured: frame.captured) { decode($0, by: pass.reader) }
    }

    private mutating func decode(_ frame: borrowing Frame, by reader: ScanPass.Reader) -> [Symbol] {
        switch reader {
        case .zbar:
            isMirrored = false
            return zbar.found(in: frame)
        case .zxing(.none): return readCounted(frame, of: frame)
        case .zxing(let binarizer):
            isMirrored = false
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
        isMirrored = false
        guard work.admits(frame) else { return [] }
        let found = zxing.found(in: frame, of: original)
        isMirrored = zxing.isMirrored
        return found
    }
}
