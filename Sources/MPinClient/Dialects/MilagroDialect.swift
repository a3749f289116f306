// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// The classic Milagro protocol, with time permits or without.
struct MilagroDialect: Dialect {
    static let name = "milagro"

    /// How long an mpin_id may be, in bytes. Real ones have about 130; its hexadecimal form must fit into an address.
    static let mpinIDLengths = 1...768
    /// registration and authentication tokens: 16 bytes.
    static let tokenDigits = 32
    /// The final call waits for the browser, 10 s at most on the server's side.
    static let finalDeadline = Duration.seconds(30)

    let settings: ClientSettings
    let configuration: MPin.Configuration

    func get(_ url: WebAddress, isRepeatable: Bool = true) -> HTTPRequest {
        HTTPRequest(
            .get, url, headers: ClassicHeaders.make(for: .get, configuration), isRepeatable: isRepeatable)
    }

    func send(
        _ method: HTTPRequest.Method, _ body: JSONBody, to url: WebAddress, deadline: Duration = .seconds(10),
        isRepeatable: Bool = false
    ) -> HTTPRequest {
        HTTPRequest(
            method, url, headers: ClassicHeaders.make(for: method, configuration), body: body.encoded(),
            deadline: deadline, isRepeatable: isRepeatable)
    }

    /// Success is exactly 200: another 2xx did not do what was asked.
    static let success = 200...200
}
