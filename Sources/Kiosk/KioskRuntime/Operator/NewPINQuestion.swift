// SPDX-License-Identifier: Apache-2.0

/// A question to a person who chooses a PIN.
public struct NewPINQuestion: Sendable, Hashable {
    public enum Purpose: Sendable, Hashable {
        case identity
        /// A PIN of its own, for signatures.
        case signing
    }

    /// Why the last answer was not taken.
    public enum Remark: Sendable, Hashable {
        case wrongLength
        case allZeros
        case easyToGuess
        /// The same again is taken.
        case easyToGuessButAllowed
    }

    public let purpose: Purpose
    /// How many digits it may have.
    public let lengths: ClosedRange<Int>
    public let remark: Remark?
}
