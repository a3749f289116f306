// SPDX-License-Identifier: Apache-2.0

/// What the interpreter finds about the digits of a new PIN. It says no more: neither the digits nor the rule they met.
public enum PINJudgement: Sendable, Hashable, CaseIterable {
    case good
    /// Repeated, counted, or like a year.
    case easyToGuess
    case allZeros
    /// The PIN that it shall take the place of.
    case unchanged
}
