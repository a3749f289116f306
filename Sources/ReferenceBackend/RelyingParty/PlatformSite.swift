// SPDX-License-Identifier: Apache-2.0

/// A generation of the platform at one place: its web site to log in to.
struct PlatformSite: Sendable {
    let mount: PlatformMount
    let relyingParty: PlatformRelyingParty
    let openID: OpenIDSite
}
