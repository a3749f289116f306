// SPDX-License-Identifier: Apache-2.0

/// Where an identity stands. Stored by name: the numbers of the older SDKs differ from each other.
///
/// `invalid` is an identity that nothing was started for; it is never stored.
public enum UserState: String, Sendable, CaseIterable {
    case invalid, startedVerification, startedRegistration, activated, registered, blocked
}
