// SPDX-License-Identifier: Apache-2.0

/// A question to a person who chooses a PIN.
public struct NewPINQuestion: Sendable, Hashable {
    /// The reason why the last answer was refused.
    public enum Remark: Sendable, Hashable {
        case wrongLength
        case allZeros
        case easyToGuess
        /// The same answer again is accepted.
        case easyToGuessButAllowed
    }

    /// The permitted numbers of digits.
    public let lengths: ClosedRange<Int>
    public let remark: Remark?
}
