// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// Half of the client secret and half of the time permit. Milagro protocol, sections 5, 6.2 and 11.1.
extension RPS {
    /// `GET /signature/{mpin_id_hex}?regOTT=`. It works once: afterwards the registration is an identity.
    /// - Throws: `Refusal` 400 for an unknown or expired registration or a wrong regOTT, 401 before activation.
    func clientSecretShare(for mpinID: MPinID, regOTT: String?) async throws -> JSONObject {
        let now = clock.now
        let digest = regOTT.flatMap { OneTimeToken($0) }?.digest
        // A wrong regOTT changes nothing: who knows only the mpin_id must not be able to end a registration.
        let registration = try await database.write { database in
            guard let digest, let known = try Registration.find(mpinID, in: database, now: now),
                Digest.equal(known.regOTTDigest, digest)
            else { throw Refusal(400, "M-Pin ID not found.") }
            guard known.active else { throw Refusal(401, "Identity not verified") }
            try Registration.remove(mpinID, in: database)
            try RegisteredIdentity(mpinID: mpinID, userID: known.userID, registered: now).add(to: database)
            return known
        }
        let identity = MPinIdentity(mpinID).hashed
        let query = ShareRequest(credentials: credentials).clientSecretQuery(
            for: identity, mobile: registration.mobile, now: now)
        guard let fields = FormFields(query) else { throw BackendError.cryptographyFailed }
        let share = try customerAuthority.clientSecretShare(query: fields)
        return JSONObject([
            "clientSecretShare": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }), "params": .string(query),
        ])
    }

    /// `GET /timePermit/{mpin_id_hex}`: the gate that a revoked identity does not pass.
    /// - Throws: `Refusal` 404 for an identity that was never registered here, the relying party's status when it is
    ///   not 200 (410: revoked).
    func timePermitShare(for mpinID: MPinID) async throws -> JSONObject {
        guard try database.lookUp({ try RegisteredIdentity.find(mpinID, in: $0) })?.isClassic == true else {
            throw Refusal(404, "Unknown identity")
        }
        try await requirePermission(of: mpinID)
        let identity = MPinIdentity(mpinID).hashed
        let day = try clock.now.day
        let share = try customerAuthority.timePermitShare(for: identity, on: day)
        return JSONObject([
            "timePermit": .string(share.withBytes { Hexadecimal.text(copy(of: $0)) }),
            "date": .integer(Int64(day.value)),
            "signature": .string(ShareRequest(credentials: credentials).timePermitSignature(for: identity, on: day)),
            "storageId": .string(Hexadecimal.text(identity.bytes)),
            "message": "M-Pin Time Permit Generated", "version": .string(ProtocolVersion.current),
        ])
    }

    /// Asks the relying party whether this identity may log in at all.
    /// - Throws: `Refusal` with the relying party's status when it is not 200 (410: revoked), 502 when it fails.
    func requirePermission(of mpinID: MPinID) async throws {
        let reply = try await relyingParty.get("/mpinPermitUser?mpin_id=" + Hexadecimal.text(mpinID.bytes))
        guard reply.status == 200 else {
            throw Refusal((400..<500).contains(reply.status) ? reply.status : 502, "Permit refused")
        }
    }
}
