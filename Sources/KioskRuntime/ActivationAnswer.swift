// SPDX-License-Identifier: Apache-2.0

/// What to do about an activation mail.
public enum ActivationAnswer: Sendable, Hashable {
    /// The link was followed: ask the server.
    case confirmed
    case sendAgain
    /// Leave the registration as it is; a later run goes on with it.
    case later
}
