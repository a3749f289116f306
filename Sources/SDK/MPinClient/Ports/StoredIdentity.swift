// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// One identity as it is stored: a key and a record that the store cannot read.
public struct StoredIdentity: Sendable, Equatable {
    /// The person and the backend.
    public let key: IdentityKey
    /// Encoded by the SDK; at most ``maximumRecordLength`` bytes. Holds the token, so a store that writes it to a disk
    /// must seal it.
    public let record: SecretBytes
    /// The identity's number in the store, from 1; nil if it was not read from a store.
    public let number: Int?

    /// The longest record, in bytes.
    public static let maximumRecordLength = 16 * 1024

    /// Makes an identity, as a store read it or as the SDK saves it.
    ///
    /// - Parameters:
    ///   - key: the person and the backend.
    ///   - record: the bytes as the SDK encoded them, at most ``maximumRecordLength``.
    ///   - number: the identity's number in the store, from 1; nil, the default, if it was not read from a store.
    public init(key: IdentityKey, record: SecretBytes, number: Int? = nil) {
        self.key = key
        self.record = record
        self.number = number
    }
}
