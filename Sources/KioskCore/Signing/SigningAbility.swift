// SPDX-License-Identifier: Apache-2.0

/// Whether an identity can sign.
public enum SigningAbility: Sendable, Hashable {
    /// Its backend has no signing.
    case none
    /// It has to be registered for signing first, and gets a PIN of its own for that.
    case needsKey
    /// With its only PIN.
    case withPIN
    /// With a PIN for signing, of so many digits.
    case withOwnPIN(length: Int)
}
