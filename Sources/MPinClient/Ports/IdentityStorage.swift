// SPDX-License-Identifier: Apache-2.0

/// Where identities are kept between logins.
///
/// Every call is one transaction: after it returned the change survives a power cut, and when it throws nothing changed.
public protocol IdentityStorage: Sendable {
    /// All identities, in the order in which they were first saved.
    func identities() async throws(IdentityStorageError) -> [StoredIdentity]

    /// Inserts the identity, or replaces the record of the one with the same key.
    func save(_ identity: StoredIdentity) async throws(IdentityStorageError)

    /// Removes the identity and every trace of its record; an unknown key is no error.
    func remove(_ key: IdentityKey) async throws(IdentityStorageError)
}

/// Why a store did not do what it was asked.
public struct IdentityStorageError: Error, Sendable {
    public enum Code: String, Sendable {
        /// The medium: full, read-only, failing, or not permitted.
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
