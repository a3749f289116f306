// SPDX-License-Identifier: Apache-2.0

/// An application that lets its users log in at one of this backend's places.
struct OpenIDClient: Sendable {
    let id: String
    /// Compared letter for letter.
    let redirectURIs: [String]
    /// Nil for a public client, which cannot keep a secret.
    let credentials: RelyingPartyCredentials?
}
