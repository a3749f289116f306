// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// How one backend is spoken to: every request and how its reply is read, but not in which order they are made.
///
/// A value is bound to one backend. Flows know this protocol only, so a new dialect is a new type and a line in
/// ``DialectCatalogue``. What a dialect does not have is a ``MPinError/Kind/notOffered`` by `Dialect+Absent.swift`.
protocol Dialect: Sendable {
    /// Stored beside each identity: an identity never changes its dialect.
    static var name: DialectName { get }
    /// Status codes that are a success.
    static var success: ClosedRange<Int> { get }
    var configuration: MPin.Configuration { get }
    /// The backend that names the address of every request, also in its replies.
    var backend: WebAddress { get }
    func headers(for method: HTTPRequest.Method) -> [HTTPHeader]

    /// Whether identities have a designated-verifier key from their registration on. Such a registration is kept in
    /// memory until it is finished, and may replace an identity.
    static var registersKeys: Bool { get }
    /// Whether a PIN of another length than the identity's is refused here.
    static var checksPINLength: Bool { get }
    func allows(_ target: AuthenticationTarget) -> Bool
    /// The login that gives nothing but the verdict on a PIN.
    static var pinCheck: AuthenticationTarget { get }

    func startVerification(_ request: VerificationRequest) throws(MPinError) -> Exchange<VerificationStart>
    func finishVerification(userID: String, code: SecretBytes) throws(MPinError) -> Exchange<VerificationResult>

    /// Starts a registration, or restarts the one that `request` names.
    func register(_ request: RegistrationRequest) throws(MPinError) -> Exchange<RegistrationReply>
    func firstSecretShare(_ request: FirstShareRequest) throws(MPinError) -> Exchange<SecretOffer>
    /// Registers a key with the token that a login gave, for signing or in place of the secret in use.
    func registerKey(_ request: KeyRequest) throws(MPinError) -> Exchange<SecretOffer>

    /// Nil when the backend uses none.
    var timePermits: (any TimePermitDialect)? { get }

    /// Where sessions are asked about and told; nil when the backend offers none.
    var codeStatusURL: WebAddress? { get }

    func pass1(
        _ prover: Prover, _ commitment: Pass1Commitment, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<Challenge>
    func pass2(
        _ mpinID: MPinID, response: SecretBytes, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<LoginTicket>
    func authenticate(_ ticket: LoginTicket, target: AuthenticationTarget) -> Exchange<LoginReply>
    /// The code for another device, by what a login for one gave; nil where that login's reply has it already.
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

    /// The share at an address that an earlier reply gave.
    ///
    /// - Parameter isDesignated: whether it is for an identity with a public key.
    func secretShare(at url: WebAddress, isDesignated: Bool) -> Exchange<ClientSecretShare> {
        // Nothing in it says whose it is: another person's, left over on a kept connection, would be taken for this
        // one's.
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
