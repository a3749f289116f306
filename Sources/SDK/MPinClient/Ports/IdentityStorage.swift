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

    /// All identities, in the order in which they were first saved.
    func identities() async throws(IdentityStorageError) -> [StoredIdentity]

    /// Inserts the identity under the next number, or replaces the record of the one with the same key.
    ///
    /// - Parameter identity: its ``StoredIdentity/number`` does not count.
    /// - Returns: the identity's number.
    @discardableResult
    func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int

    /// Removes the identity and every trace of its record; an unknown key is no error.
    func remove(_ key: IdentityKey) async throws(IdentityStorageError)
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
    }

    public var code: Code
    /// For the log: what, where, what to do.
    public var detail: String

    public init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}
