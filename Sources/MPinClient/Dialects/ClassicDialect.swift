// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// What the dialects of the first generations have in common: client settings with the address of every request, the
/// same paths, the same replies (milagro protocol; MIRACL protocol, sections 8.1 and 9).
///
/// A dialect of this family says only what it does differently.
protocol ClassicDialect: Dialect {
    var settings: ClientSettings { get }
    var configuration: MPin.Configuration { get }

    /// Whether the company id goes out under its old name, `X-MIRACL-Client-ID`, as well.
    static var sendsClientID: Bool { get }

    /// What a registration says beyond the members that the whole family has.
    func ownMembers(of request: RegistrationRequest) -> [JSONBody.Member]

    /// The body of the final call.
    func verdictRequest(for ticket: LoginTicket, target: AuthenticationTarget) -> JSONBody
}

extension ClassicDialect {
    /// Success is exactly 200: another 2xx did not do what was asked.
    static var success: ClosedRange<Int> { 200...200 }
    /// How long an mpin_id may be, in bytes. Real ones have about 130; its hexadecimal form must fit into an address.
    static var mpinIDLengths: ClosedRange<Int> { 1...768 }
    /// Registration and authentication tokens: 16 bytes.
    static var tokenDigits: Int { 32 }
    /// The final call waits for the browser, 10 s at most on the server's side.
    static var finalDeadline: Duration { .seconds(30) }

    func get(_ url: WebAddress, isRepeatable: Bool = true) -> HTTPRequest {
        HTTPRequest(.get, url, headers: headers(for: .get), isRepeatable: isRepeatable)
    }

    func send(
        _ method: HTTPRequest.Method, _ body: SecretBytes, to url: WebAddress, deadline: Duration = .seconds(10),
        isRepeatable: Bool = false
    ) -> HTTPRequest {
        HTTPRequest(
            method, url, headers: headers(for: method), body: body, deadline: deadline, isRepeatable: isRepeatable)
    }

    func send(
        _ method: HTTPRequest.Method, _ body: JSONBody, to url: WebAddress, deadline: Duration = .seconds(10),
        isRepeatable: Bool = false
    ) -> HTTPRequest {
        send(method, body.encoded(), to: url, deadline: deadline, isRepeatable: isRepeatable)
    }

    private func headers(for method: HTTPRequest.Method) -> [HTTPHeader] {
        ClassicHeaders.make(for: method, configuration, sendsClientID: Self.sendsClientID)
    }
}
