// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// One reply.
public struct HTTPResponse: Sendable {
    public var status: Int
    /// As received; names compare without case.
    public var headers: [HTTPHeader]
    /// Wiped after use: it may carry a secret share or a one-time token.
    public var body: SecretBytes

    public init(status: Int, headers: [HTTPHeader] = [], body: SecretBytes) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
