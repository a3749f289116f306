// SPDX-License-Identifier: Apache-2.0

/// Where identities are kept between logins.
///
/// Every call is one transaction: after it returned the change survives a power cut, and when it throws nothing
/// changed.
///
/// A store numbers its identities from 1, in the order in which they are first saved, whatever their backends are.
/// People are told these numbers, so an identity keeps its own, and the number of one that was removed is never given
/// to another.
public protocol IdentityStorage: Sendable {
    /// Makes sure that the largest record could be saved now. To be called before a server is asked for what it gives
    /// out once, or sends a mail: what cannot be kept must not be spent. No identity changes.
    func prepareToSave() async throws(IdentityStorageError)

    /// Whether other clients may change the identities while this one lives. A client of such a store looks what an
    /// identity is now right before it uses it.
    var isShared: Bool { get }

    /// All identities, in the order in which they were first saved.
    func identities() async throws(IdentityStorageError) -> [StoredIdentity]

    /// What is saved under the key now; nil when nothing is.
    func identity(_ key: IdentityKey) async throws(IdentityStorageError) -> StoredIdentity?

    /// Inserts the identity under the next number, or replaces the record of the one with the same key.
    ///
    /// - Parameter identity: its ``StoredIdentity/number`` does not count. Its ``StoredIdentity/version`` does where
    ///   the store is shared.
    /// - Returns: the identity's number.
    /// - Throws: ``IdentityStorageError/Code/changedElsewhere``, and nothing is changed, when another client has saved
    ///   or removed the identity since this one read it.
    @discardableResult
    func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int

    /// Removes the identity and every trace of its record; an unknown key is no error.
    ///
    /// - Parameter version: what has to be there where the store is shared, as it was read; nil is whatever there is.
    /// - Throws: ``IdentityStorageError/Code/changedElsewhere``, and it stays, when another client has saved it since.
    func remove(_ key: IdentityKey, version: Int?) async throws(IdentityStorageError)
}

extension IdentityStorage {
    /// Removes whatever there is under the key.
    public func remove(_ key: IdentityKey) async throws(IdentityStorageError) { try await remove(key, version: nil) }
}

extension IdentityStorage {
    public var isShared: Bool { false }

    public func identity(_ key: IdentityKey) async throws(IdentityStorageError) -> StoredIdentity? {
        try await identities().first { $0.key == key }
    }
}

/// Why a store did not do what it was asked.
public struct IdentityStorageError: Error, Sendable {
    public enum Code: String, Sendable {
        /// The medium has no room left.
        case full
        /// The medium: read-only, failing, or not permitted.
        case unavailable
        /// A record is not what was saved, or was sealed with another key.
        case damaged
        /// The record is longer than ``StoredIdentity/maximumRecordLength``.
        case recordTooLong
        /// Another client of a shared store has saved or removed the identity meanwhile.
        case changedElsewhere
        /// The connection to a shared store ended in the middle: the change may have happened.
        case outcomeUnknown
    }

    public var code: Code
    /// For the log: what, where, what to do.
    public var detail: String

    public init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}
