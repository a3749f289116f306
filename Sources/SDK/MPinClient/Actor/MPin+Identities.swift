// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues

// What every call on an identity does before and after.
extension MPin {
    /// Checks a call against the state table and reserves the identity for it. ``end(_:)`` must follow.
    ///
    /// - Parameter replacing: whether what begins anew leaves a good identity as it is until it is finished.
    /// - Returns: the dialect that the identity speaks and its key at the backend that is set.
    func begin(
        _ call: UserCall, of user: User, replacing: Bool = false
    ) throws(MPinError) -> (dialect: any Dialect, key: IdentityKey) {
        guard let backend else {
            throw MPinError(
                .misuse,
                detail: "\(call.rawValue): no backend is set; call \(isInitialized ? "setBackend" : "initialize") first"
            )
        }
        // A new identity that was made before a backend was set belongs to the one that is set now.
        let isUnbound = user.key.backend.isEmpty && call.beginsAnew
        guard isUnbound || user.key.backend == backend.key.text else {
            throw MPinError(
                .misuse, detail: "\(call.rawValue): the identity belongs to another backend; set that one")
        }
        let key = IdentityKey(userID: user.identity, backend: backend.key.text)
        let state = state(of: key)
        // What begins anew speaks what the backend speaks; everything else is bound to what it began with.
        let dialect: any Dialect
        if let pending = work[key].pendingRegistration {
            dialect = pending.dialect
        } else if !call.beginsAnew, let record = work[key].replacement ?? identities[key] {
            dialect = try backend.dialect(named: record.dialect)
        } else {
            dialect = try backend.dialect()
        }
        // What begins anew is stored, and a guest never is.
        let mayReplace = dialect.registersKeys || replacing
        let isAllowed =
            call.isAllowed(in: state, replacing: mayReplace)
            || work[key].isReconsidered && call.isAllowed(in: .registered, replacing: false)
        guard isAllowed, !call.beginsAnew || guests[key] == nil else {
            throw MPinError(
                .misuse, detail: "\(call.rawValue): not possible while the identity is \(state.rawValue)")
        }
        try begin(call.rawValue, on: key)
        return (dialect, key)
    }

    /// A registration that is in memory until it is finished stands before what is stored.
    func state(of key: IdentityKey) -> UserState {
        if work[key].pendingRegistration != nil { return .activated }
        return work[key].replacement?.state ?? identities.state(of: key)
    }

    func snapshot(of key: IdentityKey) -> User? {
        guard var user = work[key].pendingRegistration?.user(key) ?? work[key].replacement?.user(key) else {
            var user = identities.user(key)
            user?.isGuest = guests[key] != nil
            return user
        }
        user.number = identities.number(of: key)
        return user
    }

    func begin(_ call: String, on key: IdentityKey) throws(MPinError) {
        guard !work[key].isBusy else {
            throw MPinError(
                .misuse, detail: "\(call): another call on this identity is under way; wait for it")
        }
        work[key].isBusy = true
    }

    func end(_ key: IdentityKey) {
        work[key].isBusy = false
        work[key].sharesAreUnwanted = false
        if guests[key]?.isLeaving == true { dismiss(key) }
    }

    /// Asks the store for room, before a request that has a mail sent or brings what the server gives out once.
    func prepareToSave(_ key: IdentityKey) async throws(MPinError) {
        guard guests[key] == nil else { return }
        do throws(IdentityStorageError) { try await storage.prepareToSave() } catch {
            logger.error(
                "nothing could be saved, so nothing was asked for",
                metadata: ["cause": "\(error.code.rawValue): \(error.detail)"])
            throw MPinError(error, doing: "preparing to save \(key.userID)")
        }
    }

    /// Stores an identity and then takes the change over, in this order: what is not stored did not happen. Of a guest
    /// nothing is stored.
    func save(_ record: IdentityRecord, for key: IdentityKey) async throws(MPinError) {
        guard guests[key] == nil else {
            identities[key] = record
            return
        }
        let number: Int
        do {
            number = try await withoutCancellation { [storage] () throws(IdentityStorageError) in
                try await storage.save(StoredIdentity(key: key, record: record.encoded()))
            }
        } catch { throw MPinError(error, doing: "saving \(key.userID)") }
        identities[key] = record
        identities.setNumber(number, of: key)
    }

    /// The server refuses this identity. A token that it may take again is kept for ``Retention/ofBlocked``; any other
    /// goes at once, whether or not the store can follow. A guest's goes with the guest.
    ///
    /// - Returns: `error`, with a remark when the change could not be stored.
    func block(_ key: IdentityKey, because error: MPinError) async -> MPinError {
        guard var record = identities[key] else { return error }
        record.phase = .blocked(error.mayBeUnblocked && guests[key] == nil ? held(of: record) : nil)
        identities[key] = record
        work[key].forgetIdentity()
        do { try await save(record, for: key) } catch let failure {
            logger.error("a blocked identity could not be stored", metadata: ["cause": "\(failure.detail)"])
            return error.adding("; the identity is blocked, and \(failure.detail): delete it")
        }
        return error
    }

    /// Lets a change of the store come to its end although the calling task was cancelled: the server's side has
    /// already changed, and a store that stays behind would hold a token that is void or lack one that is good.
    func withoutCancellation<Value: Sendable>(
        _ change: @escaping @Sendable () async throws(IdentityStorageError) -> Value
    ) async throws(IdentityStorageError) -> Value {
        let outcome = await Task { () async -> Result<Value, IdentityStorageError> in
            do throws(IdentityStorageError) { return .success(try await change()) } catch { return .failure(error) }
        }.value
        return try outcome.get()
    }
}
