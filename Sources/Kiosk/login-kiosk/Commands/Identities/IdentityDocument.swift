// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import MPinClient

/// The facts about an identity for an operator.
struct IdentityDocument: Encodable {
    let user: String
    /// The number that the person types at the kiosk.
    let number: Int?
    let backend: String
    let project: String?
    let state: String
    let dialect: String?
    let deviceName: String?
    let customer: String?
    let application: String?
    let verification: String?
    let pinLength: Int?
    let canSign: Bool
    let signingPINLength: Int?
    /// Seconds since 1970-01-01 UTC by the server's clock.
    let registrationExpires: Int64?
    /// The time until which a blocked identity is kept for the service to unblock, in seconds since 1970-01-01 UTC.
    let blockedUntil: Int64?
    /// Wrong PINs of unverified people since the last right one; missing for none.
    let tries: Int?
    let mpinID: String?

    init(_ user: User, isVerbose: Bool) {
        func text(_ text: String) -> String? { text.isEmpty ? nil : text }
        self.user = user.identity
        number = user.number
        backend = user.backend
        project = text(user.projectID)
        state = user.state.rawValue
        dialect = user.dialect?.rawValue
        deviceName = text(user.deviceName)
        customer = text(user.customerID)
        application = text(user.appID)
        verification = user.verificationType.map { type in
            switch type {
            case .email: "mail"
            case .registrationCode: "registration code"
            case .custom: "relying party"
            case .signing: "signing"
            }
        }
        pinLength = user.pinLength
        canSign = user.canSign
        signingPINLength = user.signingPINLength
        registrationExpires = user.registrationExpires?.expireTimeSeconds
        blockedUntil = user.blockedUntil
        tries = user.tries > 0 ? user.tries : nil
        mpinID = isVerbose ? text(user.mpinID) : nil
    }

    /// The user's name, safe to show.
    var name: String { DisplayText(user).description }

    /// One line.
    var summary: String {
        var words = [number.map { "\($0)" } ?? "-", state, dialect ?? "-", DisplayText(backend).description]
        if let project { words.append("project \(DisplayText(project))") }
        if let blockedUntil { words.append("kept until \(ServerTime.text(blockedUntil))") }
        if canSign { words.append("can sign") }
        if let mpinID { words.append(mpinID) }
        return words.joined(separator: "  ")
    }

    /// All facts, one a line.
    var lines: [String] {
        let facts: [(String, String?)] = [
            ("user", user), ("number", number.map { "\($0)" }), ("backend", backend), ("project", project),
            ("state", state), ("dialect", dialect),
            ("device name", deviceName), ("customer", customer), ("application", application),
            ("verified by", verification), ("PIN", pinLength.map { "\($0) digits" }),
            ("can sign", canSign ? "yes" : "no"), ("PIN for signing", signingPINLength.map { "\($0) digits" }),
            ("registration ends", registrationExpires.map(ServerTime.text)),
            ("kept until", blockedUntil.map(ServerTime.text)), ("tries without a name", tries.map { "\($0)" }),
        ]
        // The mpin_id is longer than a server's text on a screen may be.
        return facts.compactMap { name, fact in fact.map { "\(name): \(DisplayText($0))" } }
            + (mpinID.map { ["mpin_id: \($0)"] } ?? [])
    }
}
