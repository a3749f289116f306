// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// The common parts of the dialects of the first generations: client settings with the address of every request, the
/// same paths, the same replies (docs/protocol/milagro.md; docs/protocol/miracl.md, sections 8.1 and 9).
///
/// A dialect of this family defines only its differences.
protocol ClassicDialect: Dialect, TimePermitDialect {
    var settings: ClientSettings { get }

    /// Whether the company id is also sent under its old name, `X-MIRACL-Client-ID`.
    static var sendsClientID: Bool { get }

    /// Whether verdicts repeat the platform's `status`. A relying party's own replies need not.
    static var verdictsTellTheStatus: Bool { get }

    /// Members of a registration beyond the family's common ones.
    func ownMembers(of request: RegistrationRequest) -> [JSONBody.Member]

    /// The body of the `authenticate` request.
    func verdictRequest(for ticket: LoginTicket, target: AuthenticationTarget) -> JSONBody
}

extension ClassicDialect {
    /// Success is exactly 200: another 2xx did not do what was asked.
    static var success: ClosedRange<Int> { 200...200 }
    /// Registration and authentication tokens: 16 bytes.
    static var tokenDigits: Int { 32 }
    /// The `authenticate` request waits for the browser, 10 s at most on the server's side.
    static var finalDeadline: Duration { .seconds(30) }

    var backend: WebAddress { settings.backend }
    var codeStatusURL: WebAddress? { settings.codeStatusURL }

    func headers(for method: HTTPRequest.Method) -> [HTTPHeader] {
        RequestHeaders.make(for: method, configuration, sendsClientID: Self.sendsClientID)
    }
}
