// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A password for one use, issued by the server at the end of a login (docs/protocol/milagro.md, section 7.1).
public struct OneTimePassword: Sendable {
    /// The reason why the login succeeded without a password: ``MPinError/Kind/notOffered`` when the backend issues
    /// none, ``MPinError/Kind/badReply`` when its digits or times cannot be read. Nil when there is a password.
    public let absence: MPinError.Kind?
    /// 4 to 16 decimal digits as ASCII; empty when there is no password.
    public let digits: SecretBytes
    /// The end of the password's validity by the server's clock; nil when there is no password.
    public let expires: Expiration?
    /// The lifetime of the password, in seconds; 0 when there is none.
    public let ttlSeconds: Int64

    /// The number of the older SDKs: ``Status/ok`` when there is a password.
    public var status: Status { absence?.status ?? .ok }

    init(digits: SecretBytes, expires: Expiration, ttlSeconds: Int64) {
        absence = nil
        self.digits = digits
        self.expires = expires
        self.ttlSeconds = ttlSeconds
    }

    /// - Parameter absence: the reason.
    init(withoutDigits absence: MPinError.Kind) {
        self.absence = absence
        digits = SecretBytes(copying: [])
        expires = nil
        ttlSeconds = 0
    }
}
