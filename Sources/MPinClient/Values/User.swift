// SPDX-License-Identifier: Apache-2.0

/// A snapshot of one person's identity at one backend.
///
/// Calls look the identity up by its ``key``, so an old snapshot does no harm: its state is not what decides.
public struct User: Sendable, Hashable {
    public let key: IdentityKey
    public let state: UserState
    /// The name that the person's account shows for this device; empty when none was given.
    public let deviceName: String
    /// When the running registration ends; nil when none runs or the server did not say.
    public let registrationExpires: Expiration?
    /// The number of digits of the PIN that was chosen; nil before.
    public let pinLength: Int?

    /// The identity as the backend knows it, usually an e-mail address.
    public var identity: String { key.userID }
}
