// SPDX-License-Identifier: Apache-2.0

/// A store of identities.
///
/// Every call is one transaction: after it returned the change survives a power cut, and if it throws nothing changed.
///
/// A store numbers its identities from 1, in the order in which they are first saved, across all backends.
/// People use these numbers, so an identity keeps its number, and no other identity gets it after a removal.
public protocol IdentityStorage: Sendable {
    /// Makes sure that the largest record could be saved now. Called before a server is asked for a value that it
    /// gives out once, or sends a mail: neither must be wasted. No identity changes.
    func prepareToSave() async throws(IdentityStorageError)

    /// All identities, in the order in which they were first saved.
    func identities() async throws(IdentityStorageError) -> [StoredIdentity]

    /// Inserts the identity under the next number, or replaces the record with the same key.
    ///
    /// - Parameter identity: its ``StoredIdentity/number`` is ignored.
    /// - Returns: the identity's number.
    @discardableResult
    func save(_ identity: StoredIdentity) async throws(IdentityStorageError) -> Int

    /// Removes the identity and every trace of its record; an unknown key is not an error.
    func remove(_ key: IdentityKey) async throws(IdentityStorageError)
}

/// The reason why a store failed.
public struct IdentityStorageError: Error, Sendable {
    /// The kinds of failure. They are the same for every store.
    public enum Code: String, Sendable {
        /// The medium has no room left.
        case full
        /// The medium is read-only, failing, or not permitted.
        case unavailable
        /// A record is not as it was saved, or was sealed with another key.
        case damaged
        /// The record is longer than ``StoredIdentity/maximumRecordLength``.
        case recordTooLong
    }

    /// The kind of failure.
    public var code: Code
    /// Text for the log: the failure, its place and the remedy.
    public var detail: String

    /// Makes a failure.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - detail: the failure, its place and the remedy for the log.
    public init(_ code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}
