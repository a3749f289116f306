// SPDX-License-Identifier: Apache-2.0

public import Logging
public import LoginValues

/// An application on a device talking to its own server, the relying party: it asks where to begin a login in its own
/// name, whether a person is logged in, and which digest to sign (docs/protocol/miracl.md, section 15).
///
/// Only the application's server learns from the platform who logged in. So a login goes through both:
///
///     authorizationURL()  ->  MPin.accessCode(fromAuthorizationURL:)  ->  MPin.startAuthentication(of:accessCode:)
///         ->  MPin.finishAuthenticationMFA(of:pin:pin1:accessCode:)  ->  submit(authorizationCode:userID:)
///
/// Every call throws ``MPinError`` and nothing else, and makes no request to a host that the trust policy refuses.
public struct RelyingPartyApplication: Sendable {
    /// The address above `/authzurl`, `/authtoken` and the rest.
    public let address: WebAddress
    let way: TrustedTransport

    /// - Parameters:
    ///   - address: of the application's server, with the path above its calls.
    ///   - transport: the way to the network.
    ///   - trust: checks the server's host. Nil checks nothing: for a bare SDK only.
    ///   - clock: measures how long requests take, for the log, and the waits that busy servers ask for.
    ///   - logger: receives hosts, requests and status codes, at no level a secret.
    public init(
        at address: WebAddress, transport: any HTTPTransport, trust: TrustPolicy?,
        clock: some Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.address = address.base
        let start = clock.now
        way = TrustedTransport(
            transport: transport, trust: trust, uptime: { start.duration(to: clock.now) }, logger: logger,
            deviceTime: WallClock.seconds, sleep: { try await clock.sleep(for: $0) })
    }

    func outcome<Reply>(of exchange: Exchange<Reply>) async -> CallOutcome {
        await way.perform(exchange.call, namedBy: nil)
    }

    func run<Reply>(_ exchange: Exchange<Reply>) async throws(MPinError) -> Reply {
        let outcome = await outcome(of: exchange)
        do { return try exchange.reply(from: outcome) } catch { throw way.distrusting(exchange.call, after: error) }
    }

    /// A request below the application's address.
    func request(
        _ method: HTTPRequest.Method, _ path: StaticString, _ kind: RequestKind, type: StaticString? = nil,
        body: SecretBytes? = nil, isRepeatable: Bool = false
    ) throws(MPinError) -> HTTPRequest {
        var headers = [HTTPHeader("Accept", "application/json")]
        if let type { headers.append(HTTPHeader("Content-Type", type.description)) }
        return HTTPRequest(
            method, try MPinError.address(address, path.description, for: kind), headers: headers, body: body,
            isRepeatable: isRepeatable)
    }
}
