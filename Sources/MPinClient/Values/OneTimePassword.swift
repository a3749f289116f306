// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// A password for one use that the server issued at the end of a login (milagro protocol, section 7.1).
public struct OneTimePassword: Sendable {
    /// ``Status/ok``; ``Status/flowError`` when the login succeeded and the backend issues no passwords;
    /// ``Status/responseParseError`` when the login succeeded and its digits or times cannot be read.
    public let status: Status
    /// 4 to 16 decimal digits as ASCII; empty unless the status is ``Status/ok``.
    public let digits: SecretBytes
    /// By the server's clock; nil unless the status is ``Status/ok``.
    public let expires: Expiration?
    /// How long the password lives, in seconds; 0 unless the status is ``Status/ok``.
    public let ttlSeconds: Int64

    init(digits: SecretBytes, expires: Expiration, ttlSeconds: Int64) {
        status = .ok
        self.digits = digits
        self.expires = expires
        self.ttlSeconds = ttlSeconds
    }

    /// - Parameter status: why there are none.
    init(withoutDigits status: Status) {
        self.status = status
        digits = SecretBytes(copying: [])
        expires = nil
        ttlSeconds = 0
    }
}
