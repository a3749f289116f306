// SPDX-License-Identifier: Apache-2.0

/// Where QR codes come from: the scanner process, or a script.
public protocol SymbolSource: Sendable {
    /// The source's reports from now on, for one consumer. A code in view is reported again and again. When the
    /// consumer is slow, the newest reports are kept. The stream ends with the source.
    func reports() -> AsyncStream<SymbolSourceReport>

    /// Look at nothing until ``resume()``: a person may be typing a PIN in front of the camera.
    func pause() async
    func resume() async

    /// Whether fewer and smaller pictures will do while they do not change. At first they will not.
    func mayRest(_ mayRest: Bool) async
}

/// A source that is no camera has nothing to spare.
extension SymbolSource {
    public func mayRest(_ mayRest: Bool) async {}
}

/// A report of a ``SymbolSource``.
public enum SymbolSourceReport: Sendable, Equatable {
    case symbol(Symbol)
    /// The obstacle that keeps codes from being read has changed.
    case hint(ScannerAdvice)
    /// Counters of the scanner since its start, about once a second.
    case statistics(ScannerStatistics)
    /// Pictures come, from the camera of that name; the name is empty when the source is no camera.
    case available(camera: String)
    /// No pictures come.
    case unavailable(ScannerTrouble)
    /// A picture is being looked at for that long already.
    case looking(Duration)
    /// A picture of a folder cannot be read; the others are looked at.
    case skipped(ScannerTrouble)
}

/// Counters of a scanner process since its start.
public struct ScannerStatistics: Sendable, Equatable {
    /// Frames that were looked at.
    public var frames: UInt64 = 0
    /// Frames that were replaced by a newer one before they could be looked at.
    public var dropped: UInt64 = 0
    /// Frames that came and could not be decoded.
    public var damaged: UInt64 = 0
    /// Frames that break a rule of their format, as those of many webcams do, and were decoded all the same.
    public var flawed: UInt64 = 0
    /// Symbols that were read, reported or not.
    public var symbols: UInt64 = 0
    /// Symbols that were not reported because the same one had just been.
    public var repeats: UInt64 = 0
    /// The time that was spent on looking.
    public var decoding: Duration = .zero

    public init() {}
}
