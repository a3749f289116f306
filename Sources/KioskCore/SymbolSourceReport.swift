// SPDX-License-Identifier: Apache-2.0

/// What a ``SymbolSource`` reports.
public enum SymbolSourceReport: Sendable, Equatable {
    case symbol(Symbol)
    /// Pictures come.
    case available
    /// No pictures come; the text is for the log.
    case unavailable(String)
}
