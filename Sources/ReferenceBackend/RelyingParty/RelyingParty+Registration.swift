// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Who may register, and the mail. Milagro protocol, section 11.3.
extension RelyingParty {
    /// `POST /mpinVerify`, by the RPS.
    /// - Throws: `Refusal` 403 when the user may not register, 400 for malformed data.
    func verifyRegistration(_ body: JSONObject) async throws {
        guard let userID = body.string("userId").flatMap({ try? UserID($0) })?.text,
            let activateKey = body.string("activateKey"),
            let expires = body.string("expireTime"),
            let mpinID = body.string("mpinId").flatMap({ Hexadecimal.bytes($0) })
        else { throw Refusal.invalidData }
        guard registrationPolicy.admits(userID) else { throw Refusal(403, "This user may not register") }
        let link = ActivationLink(mpinID: MPinID(mpinID), expires: expires, activateKey: activateKey)
        let url = try await mount.url
        await outbox.send(
            ActivationMail(
                recipient: userID, siteName: mount.site.name, content: .link(link.url(on: url)), sent: clock.now))
    }

    /// `GET /mpinPermitUser`, by the RPS.
    /// - Throws: `Refusal` 410 for a revoked identity. The documentation of the classic servers says 403, which classic
    ///   clients take for a broken request; all of them understand 410.
    func permit(_ mpinID: MPinID) throws {
        guard try !isRevoked(mpinID) else { throw Refusal(410, "Revoked") }
    }

    func isRevoked(_ mpinID: MPinID) throws -> Bool {
        try database.lookUp { try Revocation.contains(mpinID, in: $0) }
    }

    /// The person pressed the button on the page that the mail led to; true when that was in time.
    func activate(_ link: ActivationLink) async throws -> Bool {
        let reply = try await rps.post(
            "/user/" + Hexadecimal.text(link.mpinID.bytes),
            JSONObject(["activateKey": .string(link.activateKey)]))
        return reply.status == 200
    }
}
