// SPDX-License-Identifier: Apache-2.0

import Logging

// A server that counts wrong PINs can forget them when its operator unblocks the person. So the client keeps a blocked
// identity for a while, sealed as before. It logs in again only if the caller asks for it and the server accepts it.
extension MPin {
    enum Retention {
        /// The time that a blocked identity is kept, in seconds.
        static let ofBlocked: Int64 = 7 * 24 * 3600
    }

    /// Lets the next login of a blocked identity ask the server again. The identity stays blocked until the server
    /// accepts a PIN, and is registered from then on.
    ///
    /// - Throws: ``MPinError/Kind/misuse`` for an identity that is no longer kept: ``User/blockedUntil``.
    public func reconsider(_ user: User) throws(MPinError) {
        try begin("reconsider", on: user.key)
        defer { end(user.key) }
        guard let held = identities[user.key]?.held, held.until > wallClock(), guests[user.key] == nil else {
            throw MPinError(.misuse, detail: "reconsider: nothing is kept of this identity; register it again")
        }
        work[user.key].login.isReconsidered = true
    }

    /// Stores the caller's count of PINs since the last right one. The SDK does not use it: it is for a caller that
    /// bounds the attempts of people that no session named. A new registration begins with 0, and a guest has no count.
    ///
    /// - Parameter tries: 0 to 255.
    /// - Throws: ``MPinError/Kind/storage(_:)``; the count is then in memory only. ``MPinError/Kind/misuse`` for an
    ///   identity that has no PIN.
    public func setTries(_ tries: Int, of user: User) async throws(MPinError) {
        let key = user.key
        try begin("setTries", on: key)
        defer { end(key) }
        guard guests[key] == nil else { return }
        guard var record = identities[key], var credential = record.credentialOrHeld else {
            throw MPinError(.misuse, detail: "setTries: the identity has no PIN")
        }
        let count = min(max(tries, 0), 255)
        guard credential.tries != count else { return }
        credential.tries = count
        record.replaceCredential(credential)
        do { try await save(record, for: key) } catch {
            identities[key] = record
            throw error
        }
    }

    /// The credential to keep of an identity that the server refuses.
    func held(of record: IdentityRecord) -> IdentityRecord.HeldCredential? {
        if let held = record.held { return held }
        return record.credential.map {
            IdentityRecord.HeldCredential(credential: $0, until: wallClock() + Retention.ofBlocked)
        }
    }

    /// Registers a blocked identity again after the server accepted its PIN.
    func unblock(_ key: IdentityKey) async {
        guard var record = identities[key], let held = record.held else { return }
        record.phase = .registered(held.credential)
        work[key].login.isReconsidered = false
        do { try await save(record, for: key) } catch {
            // Works until a restart; the next login after it asks the server again.
            identities[key] = record
            logger.error("an unblocked identity could not be stored", metadata: ["cause": "\(error.detail)"])
        }
    }

    /// Forgets the credentials of blocked identities that were kept long enough.
    func forgetOverdue() async {
        let now = wallClock()
        for key in identities.keys {
            guard guests[key] == nil, !work[key].isBusy, var record = identities[key], let held = record.held,
                held.until <= now, (try? begin("users", on: key)) != nil
            else { continue }
            record.phase = .blocked(nil)
            do { try await save(record, for: key) } catch {
                logger.error("a blocked identity could not be forgotten", metadata: ["cause": "\(error.detail)"])
            }
            work[key].login.isReconsidered = false
            end(key)
        }
    }
}

extension MPinError {
    /// Whether the server may accept the identity again: it counted wrong PINs, or its reply may mean that or a
    /// revocation.
    var mayBeUnblocked: Bool { kind == .blocked || refusal == .expiredMPinID }
}
