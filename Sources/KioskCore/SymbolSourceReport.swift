// SPDX-License-Identifier: Apache-2.0

/// What a ``SymbolSource`` reports.
public enum SymbolSourceReport: Sendable, Equatable {
    case symbol(Symbol)
    /// What keeps codes from being read has changed.
    case hint(ScannerAdvice)
    /// Counters of the scanner since its start, about once a second.
    case statistics(ScannerStatistics)
    /// Pictures come, from the camera of that name; the name is empty when the source is none.
    case available(camera: String)
    /// No pictures come.
    case unavailable(ScannerTrouble)
    /// A picture is being looked at for that long already.
    case looking(Duration)
    /// A picture of a folder cannot be read; the others are looked at.
    case skipped(ScannerTrouble)
}
