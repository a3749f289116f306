// SPDX-License-Identifier: Apache-2.0

/// What a QR code in view is to somebody who registers, as far as the machine may know it.
public enum ActivationReading: Sendable, Hashable {
    /// Its text may be a code that activates.
    case code
    /// It is the link of a verification's mail.
    ///
    /// - service: whose link it is, by its place in the list; nil for a service that is not in it.
    case link(userID: String, service: Int?)
}
