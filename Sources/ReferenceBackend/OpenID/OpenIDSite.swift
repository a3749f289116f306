// SPDX-License-Identifier: Apache-2.0

/// Both sides of the code flow at one place.
struct OpenIDSite: Sendable {
    let provider: OpenIDProvider
    let relyingParty: OpenIDRelyingParty
}
