// SPDX-License-Identifier: Apache-2.0

/// What happens to the PIN digits, which the machine never sees.
public enum EntryAction: Hashable, Sendable {
    /// Keep the digit just pressed.
    case append
    case removeLast
    /// Forget the digits of this entry.
    case clear
    /// Forget all digits, those of a first entry too.
    case wipe
    /// Put the entry aside as the first of two; answered by `newPINJudged`.
    case judgeNew
    /// Compare the entry with the first and forget it; answered by `newPINsCompared`.
    case compareNew
}
