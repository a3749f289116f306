// SPDX-License-Identifier: Apache-2.0

/// A classic dialect at one place: who may call, the RPS, and the web site to log in to.
struct ClassicSite: Sendable {
    let mount: ClassicMount
    let policy: ClientPolicy
    let rps: RPS
    let relyingParty: RelyingParty
    let openID: OpenIDSite
}
