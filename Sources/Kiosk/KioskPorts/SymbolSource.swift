// SPDX-License-Identifier: Apache-2.0

/// A source of QR codes: the scanner process, or a script.
public protocol SymbolSource: Sendable {
    /// The source's reports from now on, for one consumer. A code in view is reported again and again. A slow consumer
    /// gets the newest reports. The stream ends with the source.
    func reports() -> AsyncStream<SymbolSourceReport>

    /// Stops looking until ``resume()``: a person may be typing a PIN in front of the camera.
    func pause() async
    func resume() async

    /// Allows fewer and smaller pictures while they do not change. Not allowed at first.
    func mayRest(_ mayRest: Bool) async
}

/// A source that is not a camera has nothing to save.
extension SymbolSource {
    public func mayRest(_ mayRest: Bool) async {}
}

/// A report of a ``SymbolSource``.
public enum SymbolSourceReport: Sendable, Equatable {
    case symbol(Symbol)
    /// The obstacle to reading codes has changed.
    case hint(ScannerAdvice)
    /// Counters of the scanner since its start, about once a second.
    case statistics(ScannerStatistics)
    /// Pictures come from the camera of that name; the name is empty when the source is not a camera.
    case available(camera: String)
    /// No pictures come.
    case unavailable(ScannerTrouble)
    /// The scanner has been searching one picture for this time.
    case looking(Duration)
    /// A picture of a folder cannot be read; the scanner continues with the others.
    case skipped(ScannerTrouble)
    /// The list of cameras, sizes and formats that were passed over, each with the reason, has changed.
    case passedOver([String])
}

/// Counters of a scanner process since its start.
public struct ScannerStatistics: Sendable, Equatable {
    /// Frames that were searched.
    public var frames: UInt64 = 0
    /// Frames that a newer one replaced before they were searched.
    public var dropped: UInt64 = 0
    /// Frames that came and could not be decoded.
    public var damaged: UInt64 = 0
    /// Frames that break a rule of their format, as those of many webcams do, but were decoded.
    public var flawed: UInt64 = 0
    /// Symbols that were read, reported or not.
    public var symbols: UInt64 = 0
    /// Symbols that were not reported because the same one had just been.
    public var repeats: UInt64 = 0
    /// The time spent on searching.
    public var decoding: Duration = .zero

    public init() {}
}
