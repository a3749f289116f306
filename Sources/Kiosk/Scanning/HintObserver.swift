// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// Detects obstacles to reading a code in the frames, and reports an obstacle that lasts.
///
/// A hint is given when its reason has held for ``delay``, and withdrawn when the reason has been gone as long. A code
/// that is read withdraws it at once. Only a few frames are examined, to save time for reading.
public struct HintObserver {
    public static let delay = Duration.seconds(1)
    private static let interval = Duration.milliseconds(150)
    /// Finder patterns from which on a crowded frame is called one of many codes: coarse prints of photographs show 70.
    private static let manyFinders = 100

    private var threshold = AdaptiveThreshold()
    private let binary = LumaBuffer()
    private var next: Duration?
    /// The hint that was given last.
    private var told: ScannerHint?
    /// The hint that would be given, and since when.
    private var candidate: ScannerHint?
    private var since = Duration.zero
    /// The code in the frame that was looked at last.
    public private(set) var view = CodeView.nothing

    public init() {}

    /// - Parameters:
    ///   - hasSymbols: whether anything was read in the frame.
    ///   - isMirrored: whether what was read is a mirror image.
    ///   - isCrowded: whether it shows too many codes to be searched as a whole.
    /// - Returns: a report, when the hint has changed.
    public mutating func look(
        at frame: borrowing Frame, hasSymbols: Bool, isMirrored: Bool = false, isCrowded: Bool = false
    ) -> ScannerAdvice? {
        let now = frame.captured
        if hasSymbols { view = .read }
        if hasSymbols, !isMirrored {
            candidate = nil
            return told == nil ? nil : tell(nil, FrameQuality(of: frame))
        }
        // An instant before the last one means that another clip has begun.
        if let next, now < next, next - now <= HintObserver.interval { return nil }
        next = now + HintObserver.interval
        let quality = FrameQuality(of: frame)
        let hint = hasSymbols ? .mirrored : hint(frame, quality, isCrowded: isCrowded)
        if hint != candidate || now < since {
            candidate = hint
            since = now
        }
        guard hint != told, now - since >= HintObserver.delay else { return nil }
        return tell(hint, quality)
    }

    /// Forgets everything, so that a present obstacle is reported again.
    public mutating func reset() {
        (told, candidate, next, view) = (nil, nil, nil, .nothing)
    }

    private mutating func tell(_ hint: ScannerHint?, _ quality: FrameQuality) -> ScannerAdvice {
        told = hint
        return ScannerAdvice(hint: hint, brightness: quality.brightness, sharpness: quality.sharpness)
    }

    private mutating func hint(
        _ frame: borrowing Frame, _ quality: FrameQuality, isCrowded: Bool
    ) -> ScannerHint? {
        threshold.apply(frame, window: .wide, to: binary)
        let finders = binary.withFrame(captured: frame.captured) {
            FinderSearch.finders(in: $0, atMost: isCrowded ? 2 * HintObserver.manyFinders : FinderSearch.capacity)
        }
        // Textures and filmed screens show many patterns that only zxing-cpp takes for those of codes.
        if isCrowded, finders.count >= HintObserver.manyFinders {
            // The light of a pattern around the code is no reason to change the exposure.
            view = .nothing
            return .tooManyCodes
        }
        let hint = HintRule.hint(for: quality, finders: finders, now: told)
        view = CornerLight.view(of: finders, in: frame, hint: hint)
        return hint
    }
}
