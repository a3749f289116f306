// SPDX-License-Identifier: Apache-2.0

import Logging
import LoginValues

// The steps before and after every call on an identity.
extension MPin {
    /// Checks a call against the state table and reserves the identity for it. ``end(_:)`` must follow.
    ///
    /// - Parameter replacing: whether a restart keeps a good identity as it is until the new registration is finished.
    /// - Returns: the identity's dialect and its key at the current backend.
    func begin(
        _ call: UserCall, of user: User, replacing: Bool = false
    ) throws(MPinError) -> (dialect: any Dialect, key: IdentityKey) {
        guard let backend else {
            throw MPinError(
                .misuse,
                detail: "\(call.rawValue): no backend is set; call \(isInitialized ? "setBackend" : "initialize") first"
            )
        }
        // A new identity that was made before a backend was set belongs to the current one.
        let isUnbound = user.key.backend.isEmpty && call.startsAgain
        guard isUnbound || user.key.backend == backend.key.text else {
            throw MPinError(
                .misuse, detail: "\(call.rawValue): the identity belongs to another backend; set that one")
        }
        let key = IdentityKey(userID: user.identity, backend: backend.key.text)
        let state = state(of: key)
        let dialect = try dialect(of: key, at: backend, for: call)
        // New registrations are stored, guests never are.
        let mayReplace = dialect.registersKeys || replacing
        let isAllowed =
            call.isAllowed(in: state, replacing: mayReplace)
            || work[key].login.isReconsidered && call.isAllowed(in: .registered, replacing: false)
        guard isAllowed, !call.startsAgain || guests[key] == nil else {
            throw MPinError(
                .misuse, detail: "\(call.rawValue): not possible while the identity is \(state.rawValue)")
        }
        try begin(call.rawValue, on: key)
        return (dialect, key)
    }

    /// A new registration uses the backend's dialect; any other call uses the dialect that the identity began with.
    private func dialect(
        of key: IdentityKey, at backend: BackendSession, for call: UserCall
    ) throws(MPinError) -> any Dialect {
        if let pending = work[key].shares.pendingRegistration { return pending.dialect }
        guard !call.startsAgain, let record = work[key].shares.replacement ?? identities[key] else {
            return try backend.dialect()
        }
        return try backend.dialect(named: record.dialect)
    }

    /// The state of an unfinished registration in memory, else of the stored identity.
    func state(of key: IdentityKey) -> UserState {
        if work[key].shares.pendingRegistration != nil { return .activated }
        return work[key].shares.replacement?.state ?? identities.state(of: key)
    }

    func snapshot(of key: IdentityKey) -> User? {
        var user = work[key].shares.pendingRegistration?.user(key) ?? work[key].shares.replacement?.user(key)
        if user == nil {
            user = identities[key]?.user(key)
            user?.isGuest = guests[key] != nil
        }
        user?.number = identities.numbers[key]
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

    /// - Throws: ``MPinError/Kind/registrationGone`` when the person left the registration during the call.
    func requireWanted(_ key: IdentityKey, in call: StaticString) throws(MPinError) {
        guard !work[key].sharesAreUnwanted else {
            throw MPinError(
                .registrationGone, status: .flowError,
                detail: "\(call): the registration was forgotten during the call")
        }
    }

    /// Makes sure that the store has room, before a request that sends a mail or fetches a value that is given out
    /// once.
    func prepareToSave(_ key: IdentityKey) async throws(MPinError) {
        guard guests[key] == nil else { return }
        do throws(IdentityStorageError) { try await storage.prepareToSave() } catch {
            logger.error(
                "nothing could be saved, so nothing was asked for",
                metadata: ["cause": "\(error.code.rawValue): \(error.detail)"])
            throw MPinError(error, doing: "preparing to save an identity")
        }
    }

    /// Stores an identity and then changes it in memory. In this order, a failed store leaves the identity as it was.
    /// Guests are not stored.
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
        } catch { throw MPinError(error, doing: "saving an identity") }
        identities[key] = record
        identities.numbers[key] = number
    }

    /// Blocks an identity that the server refuses for good. A token that the server may accept again is kept for
    /// ``Retention/ofBlocked``. Any other is forgotten at once, even if the store cannot follow. A guest's is never
    /// kept.
    ///
    /// - Returns: `error`, with a remark when the change could not be stored.
    func blockIfFinal(_ key: IdentityKey, because error: MPinError) async -> MPinError {
        guard error.isFinalRefusal, var record = identities[key] else { return error }
        record.phase = .blocked(error.mayBeUnblocked && guests[key] == nil ? held(of: record) : nil)
        identities[key] = record
        work[key].forgetIdentity()
        do { try await save(record, for: key) } catch let failure {
            logger.error("a blocked identity could not be stored", metadata: ["cause": "\(failure.detail)"])
            return error.adding("; the identity is blocked, and \(failure.detail): delete it")
        }
        return error
    }

    /// Completes a change of the store even if the calling task was cancelled: the server's side has already changed,
    /// and without it the store would hold an invalid token or lack a valid one.
    func withoutCancellation<Value: Sendable>(
        _ change: @escaping @Sendable () async throws(IdentityStorageError) -> Value
    ) async throws(IdentityStorageError) -> Value {
        let outcome = await Task { () async -> Result<Value, IdentityStorageError> in
            do throws(IdentityStorageError) { return .success(try await change()) } catch { return .failure(error) }
        }.value
        return try outcome.get()
    }
}
