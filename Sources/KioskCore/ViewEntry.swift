// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// What has been typed so far, as far as it may be seen.
public enum ViewEntry: Sendable, Equatable {
    /// Only how many digits, and how many there may be.
    case masked(count: Int, capacity: Int)
    case text(String)
    /// An access code, readable on the screen as on the page that it is copied from; redacted wherever a view is printed.
    case code(SecretBytes)
    /// Digits that the server issued, as ASCII, to be read and typed in somewhere else; redacted wherever a view is printed.
    case digits(SecretBytes)
}
