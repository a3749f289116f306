// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A text of 190 bits, new at every start. A browser that sends it got it from the kiosk.
struct PageToken: Sendable {
    /// A custom header, which another site's page cannot send without permission, and the kiosk gives none.
    static let header = HTTPField.Name("X-Kiosk-Token")

    let text: String

    init() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var generator = SystemRandomNumberGenerator()
        text = String((0..<32).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] })
    }

    /// Whether a request has the token. The time reveals nothing about it.
    func admits(_ headers: HTTPFields) -> Bool {
        guard let header = PageToken.header, let claim = headers[header] else { return false }
        let (claimed, own) = (Array(claim.utf8), Array(text.utf8))
        guard claimed.count == own.count else { return false }
        return zip(claimed, own).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
