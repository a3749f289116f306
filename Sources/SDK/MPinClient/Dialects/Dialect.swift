// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

/// The language of one backend: every request and the reading of its reply, but not their order.
///
/// A value is bound to one backend. Flows know only this protocol, so a new dialect is a new type and a line in
/// ``DialectCatalogue``. Parts that a dialect lacks throw ``MPinError/Kind/notOffered``, by `Dialect+Absent.swift`.
protocol Dialect: Sendable {
    /// Stored with each identity, which never changes its dialect.
    static var name: DialectName { get }
    /// Status codes that are a success.
    static var success: ClosedRange<Int> { get }
    var configuration: MPin.Configuration { get }
    /// The backend that names the address of every request, also in its replies.
    var backend: WebAddress { get }
    func headers(for method: HTTPRequest.Method) -> [HTTPHeader]

    /// Whether identities get a designated-verifier key at their registration. Such a registration is kept in memory
    /// until it is finished, and may replace an identity.
    static var registersKeys: Bool { get }
    /// Whether the client refuses a PIN of another length than the identity's.
    static var checksPINLength: Bool { get }
    func allows(_ target: AuthenticationTarget) -> Bool
    /// The login for nothing but the verdict on a PIN.
    static var pinCheck: AuthenticationTarget { get }

    func startVerification(_ request: VerificationRequest) throws(MPinError) -> Exchange<VerificationStart>
    func finishVerification(userID: String, code: SecretBytes) throws(MPinError) -> Exchange<VerificationResult>

    /// Starts a registration, or restarts the one that `request` names.
    func register(_ request: RegistrationRequest) throws(MPinError) -> Exchange<RegistrationReply>
    func firstSecretShare(_ request: FirstShareRequest) throws(MPinError) -> Exchange<SecretOffer>
    /// Registers a key with the token from a login, for signing or in place of the current secret.
    func registerKey(_ request: KeyRequest) throws(MPinError) -> Exchange<SecretOffer>

    /// Nil when the backend uses none.
    var timePermits: (any TimePermitDialect)? { get }

    /// The address for requests about sessions; nil when the backend offers none.
    var codeStatusURL: WebAddress? { get }

    func pass1(
        _ prover: Prover, _ commitment: Pass1Commitment, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<Challenge>
    func pass2(
        _ mpinID: MPinID, response: SecretBytes, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<LoginTicket>
    func authenticate(_ ticket: LoginTicket, target: AuthenticationTarget) -> Exchange<LoginReply>
    /// Fetches the registration code with the statement of a login; nil if that login's reply already has the
    /// code.
    func registrationCode(jwt: SecretBytes, deviceName: String) -> Exchange<OneTimePassword>?
}

extension Dialect {
    var isOverHTTP: Bool { backend.origin.scheme == .http }

    var name: DialectName { Self.name }
    var registersKeys: Bool { Self.registersKeys }

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

    /// Fetches the share at an address from an earlier reply.
    ///
    /// - Parameter isDesignated: whether it is for an identity with a public key.
    func secretShare(at url: WebAddress, isDesignated: Bool) -> Exchange<ClientSecretShare> {
        // Not repeatable: the reply does not name the owner of the share, so a stale reply on a kept connection could
        // be another person's.
        Exchange(.clientSecretShare2, get(url, isRepeatable: false), success: Self.success) {
            object throws(JSONError) in
            try object.clientSecretShare(isDesignated ? "dvsClientSecret" : "clientSecret")
        }
    }

    func require(_ target: AuthenticationTarget, in call: StaticString) throws(MPinError) {
        guard allows(target) else { throw absent("\(call)") }
    }

    /// The error of a call that this dialect does not have.
    func absent(_ what: String) -> MPinError {
        MPinError(.notOffered, detail: "\(what): the dialect \(name.rawValue) does not have that")
    }
}
