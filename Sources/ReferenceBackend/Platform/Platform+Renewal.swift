// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// New keys for old identities. MIRACL protocol, section 13.
extension Platform {
    /// What an authentication says to a device that is to take a new key; the old one counts until the new one was used.
    func offerRenewal(of identity: RegisteredIdentity, now: WallTime) throws -> JSONValue {
        try offer(
            Renewal(
                userID: identity.userID, verification: MPinIDText.verification(of: identity.mpinID) ?? .email,
                prover: identity.mpinID, replaces: identity.mpinID), now: now)
    }

    func offer(_ renewal: Renewal, now: WallTime) throws -> JSONValue {
        let token = try OneTimeToken.random()
        renewals.insert(renewal, for: token, expires: now + Renewal.lifetime, now: now)
        return .object(["token": .string(token.hex), "curve": .string(Self.curve)])
    }

    /// `POST /rps/v2/dvsregister`, before 2025: a key for the token that an authentication gave. An identity that has one
    /// keeps its mpin_id, because clients read no other from the reply; one that has none gets an identity beside it.
    /// - Throws: `PlatformRefusal` for malformed data, a token that does not count, and an identity that was blocked or revoked
    ///   since it got it.
    func renew(_ body: JSONObject, at mount: PlatformMount) async throws -> JSONObject {
        guard let token = body.string("dvsRegisterToken") else { throw PlatformRefusal.invalid("dvsRegisterToken") }
        let publicKey = try Self.publicKey(body.string("publicKey"))
        let url = try await mount.url
        let now = clock.now
        guard let renewal = OneTimeToken(token).flatMap({ renewals.remove($0, now: now) }) else {
            throw PlatformRefusal(.invalidActivationToken)
        }
        try requireGood(renewal.prover)
        let mpinID: MPinID
        if let renewed = renewal.replaces {
            mpinID = renewed
            try await expect(publicKey, of: renewed)
        } else {
            mpinID = try newMPinID(of: renewal.userID, renewal.verification, now: now)
            try await store(
                MPinIdentity(mpinID, publicKey: publicKey), of: renewal.userID, replacing: nil, now: now)
        }
        let reply = try firstShare(for: MPinIdentity(mpinID, publicKey: publicKey), below: url, now: now)
        return JSONObject(
            reply.members.merging([
                "mpinId": .string(Hexadecimal.text(mpinID.bytes)), "projectId": .string(projectID),
                "pinLength": .integer(Int64(pinLength)),
            ]) { $1 })
    }

    /// - Throws: `PlatformRefusal` when the identity is gone: another device of the user renewed it meanwhile.
    private func expect(_ publicKey: DVSPublicKey, of mpinID: MPinID) async throws {
        let isKnown = try await database.write { database in
            guard var identity = try RegisteredIdentity.find(mpinID, in: database) else { return false }
            try identity.expect(publicKey: publicKey.bytes, in: database)
            return true
        }
        guard isKnown else { throw PlatformRefusal(.invalidActivationToken) }
    }
}
