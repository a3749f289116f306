// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A frame at the scales and in the tone that passes ask for. A preparation is made once for all passes of the frame,
/// and the memory is used again and again.
struct PreparedFrame: ~Copyable {
    private var threshold = AdaptiveThreshold()
    private var pictures: [ScanPass.Scale: LumaBuffer] = [:]
    /// The scales whose pictures are of the current frame.
    private var scales: Set<ScanPass.Scale> = []
    private let tonedPicture = LumaBuffer()
    /// The pass whose scale and tone ``tonedPicture`` has.
    private var tonedFor: ScanPass?

    /// Forgets the frame, and keeps the memory.
    mutating func forget() {
        scales.removeAll(keepingCapacity: true)
        tonedFor = nil
    }

    /// The frame at a scale.
    ///
    /// - Returns: nil for ``ScanPass/Scale/full``, which needs no preparation, and for frames of an unsuitable size.
    mutating func picture(at scale: ScanPass.Scale, of frame: borrowing Frame) -> LumaBuffer? {
        guard scale != .full, PreparedFrame.suits(frame, scale) else { return nil }
        let target = pictures[scale] ?? LumaBuffer()
        pictures[scale] = target
        guard scales.insert(scale).inserted else { return target }
        switch scale {
        case .full: break
        case .half: HalfScale.apply(frame, to: target)
        case .narrow: Narrowing.apply(frame, to: target)
        case .third: ThirdScale.apply(frame, to: target)
        case .quarter:
            guard let half = picture(at: .half, of: frame) else { return nil }
            half.withFrame(captured: frame.captured) { HalfScale.apply($0, to: target) }
        case .enlarged: Enlargement.apply(frame, to: target)
        }
        return target
    }

    /// A picture of the frame in the tone of a pass.
    ///
    /// - Parameter picture: the frame at the pass's scale.
    mutating func toned(_ picture: borrowing Frame, for pass: ScanPass) -> LumaBuffer {
        // The same tone may be wanted by another reader.
        var preparation = pass
        preparation.reader = .zbar
        guard tonedFor != preparation else { return tonedPicture }
        switch pass.tone {
        case .grey: Inversion.apply(picture, to: tonedPicture)
        case .threshold(let window):
            threshold.apply(picture, window: window, isInverted: pass.isInverted, to: tonedPicture)
        }
        tonedFor = preparation
        return tonedPicture
    }

    private static func suits(_ frame: borrowing Frame, _ scale: ScanPass.Scale) -> Bool {
        guard let (across, down) = scale.divisors else {
            return max(frame.width, frame.height) <= Enlargement.largestSide
        }
        return frame.width >= across && frame.height >= down
    }
}
