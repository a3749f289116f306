// SPDX-License-Identifier: Apache-2.0

import Logging

// A store that other clients write to as well: a person enrols at one and logs in at the next.
extension MPin {
    /// As ``begin(_:of:)``, with what the store has of the identity now: another client may have changed its PIN, and a
    /// token of before would make the right PIN a wrong one, which the server counts.
    func beginWithNewest(
        _ call: UserCall, of user: User
    ) async throws(MPinError) -> (dialect: any Dialect, key: IdentityKey) {
        let key = IdentityKey(userID: user.identity, backend: backend?.key.text ?? "")
        if storage.isShared, isAtRest(key), work[key].pendingRegistration == nil, let known = identities[key] {
            try await refresh(key)
            let newest = identities[key]
            guard newest?.mpinID == known.mpinID, newest?.state == known.state else {
                throw MPinError(
                    .storage(.changedElsewhere),
                    detail: "\(call.rawValue): another client has changed \(key.userID), which is "
                        + "\(newest?.state.rawValue ?? "deleted") now")
            }
        }
        return try begin(call, of: user)
    }

    /// Takes over what the store has of one identity, where that is not what is known.
    func refresh(_ key: IdentityKey) async throws(MPinError) {
        let stored: StoredIdentity?
        do { stored = try await storage.identity(key) } catch {
            throw MPinError(error, doing: "looking for \(key.userID)")
        }
        try take(stored, for: key)
    }

    /// Takes over what the store has of all identities that no call is under way on.
    func refreshAll() async throws(MPinError) {
        guard storage.isShared else { return }
        let lifetime = lifetime
        let stored: [StoredIdentity]
        do { stored = try await storage.identities() } catch { throw MPinError(error, doing: "loading the identities") }
        guard lifetime == self.lifetime else { return }
        let keys = Set(stored.map(\.key))
        for key in identities.keys where !keys.contains(key) && isAtRest(key) { try take(nil, for: key) }
        for identity in stored where isAtRest(identity.key) {
            do throws(MPinError) { try take(identity, for: identity.key) } catch { logger.error("\(error.detail)") }
        }
        identities.sort()
    }

    private func isAtRest(_ key: IdentityKey) -> Bool { !work[key].isBusy && guests[key] == nil }

    private func take(_ stored: StoredIdentity?, for key: IdentityKey) throws(MPinError) {
        guard let stored else {
            guard identities.version(of: key) > 0 else { return }
            identities[key] = nil
            return work[key].forgetIdentity()
        }
        // What is on its way to this client may be older than what it has saved meanwhile.
        guard stored.version > identities.version(of: key) else { return }
        let known = identities[key]?.mpinID
        do throws(RecordError) { try identities.take(stored) } catch { throw MPinError(error, key: key) }
        // Registered anew elsewhere: a login that was begun is another one's.
        if known != nil, known != identities[key]?.mpinID { work[key].forgetIdentity() }
    }
}
