// SPDX-License-Identifier: Apache-2.0

import Logging

/// What the sites of all places share, and how one is put together from it.
struct SiteParts: Sendable {
    let site: SiteDescription
    let projectID: String
    let credentials: AppCredentials
    let relyingPartyCredentials: RelyingPartyCredentials
    let clientPolicy: ClientPolicy
    let clientRegistration: ClientRegistration
    let registrationPolicy: RegistrationPolicy
    let customerAuthority: TrustedAuthority
    let database: BackendDatabase
    let tokens: WebTokenIssuer
    let outbox: Outbox
    let judge: LoginJudge
    let privateClient: PrivateClient
    let clock: any WallClock
    let logger: Logger

    /// Every dialect below a path of its own, and one of them at the origin.
    static func mounts(of origin: Backend.Dialect) -> [(dialect: Backend.Dialect, path: String)] {
        [(origin, "")] + Backend.Dialect.allCases.map { ($0, $0.rawValue) }
    }

    /// - Throws: `BackendError.randomnessUnavailable`.
    func classicSite(_ dialect: Backend.Dialect, path: String) throws(BackendError) -> ClassicSite {
        let mount = ClassicMount(dialect: dialect, path: path, site: site)
        let client = privateClient.below(mount.base)
        let rps = try RPS(
            credentials: credentials, customerAuthority: customerAuthority, database: database, relyingParty: client,
            mount: mount, companyID: projectID, judge: judge, clock: clock, logger: logger)
        func makeRelyingParty(offersLogout: Bool) throws(BackendError) -> RelyingParty {
            try RelyingParty(
                rps: client, database: database, mount: mount, registrationPolicy: registrationPolicy, outbox: outbox,
                offersLogout: offersLogout, clock: clock)
        }
        let relyingParty = try makeRelyingParty(offersLogout: true)
        return ClassicSite(
            mount: mount,
            // Devices of `mfa-v1` always name a company.
            policy: dialect == .mfaV1 ? clientPolicy.requiring(companyID: projectID) : clientPolicy,
            rps: rps, relyingParty: relyingParty,
            openID: openID(
                mount, site: relyingParty, login: try makeRelyingParty(offersLogout: false),
                gate: dialect == .mfaV1 ? rps : nil))
    }

    /// - Throws: `BackendError.randomnessUnavailable`.
    func platformSite(
        _ generation: PlatformGeneration, path: String, _ platform: Platform
    ) throws(BackendError) -> PlatformSite {
        let mount = PlatformMount(generation: generation, path: path, site: site)
        func makeRelyingParty() throws(BackendError) -> PlatformRelyingParty {
            try PlatformRelyingParty(
                platform: privateClient.below(mount.base), mount: mount, projectID: projectID,
                credentials: relyingPartyCredentials, clock: clock)
        }
        let relyingParty = try makeRelyingParty()
        return PlatformSite(
            mount: mount, relyingParty: relyingParty,
            openID: openID(
                mount, site: relyingParty, login: try makeRelyingParty(),
                gate: PlatformGate(platform: platform, mount: mount)))
    }

    /// - Parameters:
    ///   - site: where browsers that came back from the provider are logged in.
    ///   - login: where they are logged in at the provider, which forgets them at once.
    private func openID(
        _ mount: any SiteMount, site: any LoginSite, login: any LoginSite, gate: (any ApplicationGate)?
    ) -> OpenIDSite {
        OpenIDSite(
            provider: OpenIDProvider(
                mount: mount, tokens: tokens, credentials: relyingPartyCredentials, registration: clientRegistration,
                projectID: projectID, login: login, gate: gate, clock: clock),
            relyingParty: OpenIDRelyingParty(
                provider: privateClient.below(mount.base), mount: mount, site: site,
                credentials: relyingPartyCredentials, projectID: projectID, clock: clock))
    }
}
