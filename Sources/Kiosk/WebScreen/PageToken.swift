// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// A text of 190 bits that is new at every start: a browser that sends it with a request was given it by the kiosk.
struct PageToken: Sendable {
    /// A header of its own and no answer to the question whether another site may send it: only this page can.
    static let header = HTTPField.Name("X-Kiosk-Token")

    let text: String

    init() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        var generator = SystemRandomNumberGenerator()
        text = String((0..<32).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] })
    }

    /// Whether a request carries the token; how long that takes tells nothing about it.
    func admits(_ headers: HTTPFields) -> Bool {
        guard let header = PageToken.header, let claim = headers[header] else { return false }
        let (claimed, own) = (Array(claim.utf8), Array(text.utf8))
        guard claimed.count == own.count else { return false }
        return zip(claimed, own).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
