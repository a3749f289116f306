// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// How one backend is spoken to: every request and how its reply is read, but not in which order they are made.
///
/// A value is bound to one backend. Flows know this protocol only, so a new dialect is a new type and a line in
/// ``DialectCatalogue``.
protocol Dialect: Sendable {
    /// Stored beside each identity: an identity never changes its dialect.
    static var name: String { get }

    init(settings: ClientSettings, configuration: MPin.Configuration)

    /// Starts a registration, or restarts the one that `request` names.
    func register(_ request: RegistrationRequest) throws(MPinError) -> Exchange<RegistrationReply>
    /// - Parameter pushIdentifier: where the server may send push messages to; nil when there is none.
    func firstSecretShare(
        of mpinID: MPinID, regOTT: SecretBytes, pushIdentifier: String?
    ) throws(MPinError) -> Exchange<FirstSecretShare>
    func secondSecretShare(_ first: FirstSecretShare) -> Exchange<ClientSecretShare>

    var usesTimePermits: Bool { get }
    func firstTimePermitShare(of mpinID: MPinID) throws(MPinError) -> Exchange<FirstTimePermitShare>
    /// Nil when there is no permit storage.
    func storedTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare>?
    func secondTimePermitShare(_ first: FirstTimePermitShare) -> Exchange<TimePermitShare>

    /// Session calls: nil when the backend offers none.
    func sessionDetails(for code: AccessCode) -> Exchange<SessionDetails>?
    func announce(userID: String, for code: AccessCode) -> Exchange<Void>?
    func abortSession(_ code: AccessCode) -> Exchange<Void>?

    func pass1(_ mpinID: MPinID, _ commitment: Pass1Commitment) throws(MPinError) -> Exchange<Challenge>
    func pass2(
        _ mpinID: MPinID, response: SecretBytes, target: AuthenticationTarget
    ) throws(MPinError) -> Exchange<LoginTicket>
    func authenticate(_ ticket: LoginTicket, target: AuthenticationTarget) -> Exchange<LoginReply>
    func logout(_ ticket: LogoutTicket) -> Exchange<Void>
}

extension Dialect {
    var name: String { Self.name }
}
