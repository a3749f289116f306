// SPDX-License-Identifier: Apache-2.0

/// How a verification goes on that was started (MIRACL protocol, section 7).
public struct VerificationStart: Sendable, Hashable {
    public enum Method: String, Sendable {
        /// The person follows a link in the mail.
        case link
        /// The person types a code from the mail.
        case code
    }

    public let method: Method
    /// Before when no other mail is sent, in seconds since 1970-01-01 UTC; nil when the server did not say.
    public let backoff: Int64?
}
