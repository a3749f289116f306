// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Logging
package import MPinServer
import OpenIDProvider

/// The parts that the sites of all endpoints share.
struct SiteParts: Sendable {
    let server: ServerParts
    let settings: Backend.Configuration
    let relyingPartyCredentials: RelyingPartyCredentials
    let polls: LongPolls
    let logger: Logger

    private var site: SiteDescription { server.site }
    private var projectID: String { server.projectID }
    private var storage: BackendStorage { server.storage }
    private var clock: any WallClock { server.clock }

    /// The mounts of all dialects, each with its own path, and of the origin.
    static func mounts(of origin: Dialect) -> [(dialect: Dialect, path: String)] {
        [(origin, "")] + Dialect.allCases.map { ($0, $0.rawValue) }
    }

    /// The sites of all dialects.
    /// - Throws: `BackendError.randomnessUnavailable`.
    func sites() throws(BackendError) -> (classic: [ClassicSite], platform: [PlatformSite]) {
        let platform = try Platform(server, pinLength: settings.devices.pinLength)
        var sites: (classic: [ClassicSite], platform: [PlatformSite]) = ([], [])
        for (dialect, path) in Self.mounts(of: settings.devices.dialect) {
            if let generation = dialect.platformGeneration {
                sites.platform.append(try platformSite(generation, path: path, platform))
            } else {
                sites.classic.append(try classicSite(dialect, path: path))
            }
        }
        return sites
    }

    private func classicSite(_ dialect: Dialect, path: String) throws(BackendError) -> ClassicSite {
        let mount = ClassicMount(dialect: dialect, path: path, site: site)
        let rps = try RPS(server, at: mount)
        let numbers = dialect.hasAccessNumbers ? rps.numbers : nil
        let browsers = try browsers(at: mount, rps.sessions, numbers)
        return ClassicSite(
            mount: mount,
            policy: dialect == .mfaV1 ? settings.devices.policy.of(project: projectID) : settings.devices.policy,
            rps: rps, browsers: browsers,
            openID: try openID(
                mount, browsers: browsers,
                providersBrowsers: self.browsers(at: mount, rps.sessions, numbers, ofProvider: true),
                gate: dialect == .mfaV1 ? rps : nil))
    }

    private func platformSite(
        _ generation: PlatformGeneration, path: String, _ platform: Platform
    ) throws(BackendError) -> PlatformSite {
        var mount = PlatformMount(generation: generation, path: path, site: site)
        let browsers = try browsers(at: mount, platform.sessions)
        let providersBrowsers = try self.browsers(at: mount, platform.sessions, ofProvider: true)
        mount.browserTables = [browsers.loggedIn.sessions, providersBrowsers.loggedIn.sessions]
        return PlatformSite(
            mount: mount, policy: settings.devices.policy.of(project: projectID), platform: platform,
            relyingParty: PlatformRelyingParty(
                platform: platform, credentials: relyingPartyCredentials, clock: clock),
            browsers: browsers,
            openID: try openID(
                mount, browsers: browsers, providersBrowsers: providersBrowsers,
                gate: PlatformGate(platform: platform, mount: mount)))
    }

    private func browsers(
        at mount: any SiteMount, _ logins: LoginSessions, _ numbers: AccessNumbers? = nil, ofProvider: Bool = false
    ) throws(BackendError) -> BrowserSessions {
        try BrowserSessions(
            mount.name + (ofProvider ? "/openid/logged in" : "/browsers"), at: mount, logins: logins, numbers: numbers,
            offersLogout: !ofProvider, polls: polls, in: storage.volatile, clock: clock)
    }

    /// - Parameters:
    ///   - browsers: the sessions of browsers that come back from the provider.
    ///   - providersBrowsers: the sessions of the provider itself. It forgets them at once.
    private func openID(
        _ mount: any SiteMount, browsers: BrowserSessions, providersBrowsers: BrowserSessions,
        gate: (any ApplicationGate)?
    ) throws(BackendError) -> OpenIDSite {
        let provider = provider(at: mount, gate)
        return OpenIDSite(
            login: OpenIDLogin(
                provider: provider, mount: mount, projectID: projectID,
                browsers: providersBrowsers, gate: gate, clock: clock,
                sessionLifetime: settings.applications.browserSession,
                logins: storage.volatile.table(mount.name + "/openid/browser sessions", bounds: .ofPeople),
                refusals: OpenIDRefusals(clock: clock, logger: logger),
                pending: storage.volatile.table(mount.name + "/openid/browsers", bounds: .ofPeople)),
            relyingParty: try OpenIDRelyingParty(
                provider: provider, mount: mount, browsers: browsers,
                credentials: relyingPartyCredentials, projectID: projectID, storage: storage.volatile, clock: clock))
    }

    private func provider(at mount: any SiteMount, _ gate: (any ApplicationGate)?) -> OpenIDProvider {
        let durable = storage.durable
        return OpenIDProvider(
            at: mount.name, issuer: { try await mount.url }, tokens: server.tokens, clients: clients,
            settings: settings.applications.providerSettings,
            mayLogIn: { userID in
                try await durable.identities(IdentitySelection(userID: userID)).contains {
                    !$0.isRevoked && !$0.isBlocked
                }
            },
            applicationLogins: gate?.applicationLogins, storage: storage.volatile, clock: clock)
    }

    private var clients: OpenIDClients {
        let (durable, siteName, applications) = (storage.durable, site.name, settings.applications)
        return OpenIDClients(
            site: OpenIDClient(
                id: relyingPartyCredentials.clientID, redirectURIs: applications.redirectURI,
                secret: relyingPartyCredentials.clientSecret, requiresProofKey: applications.requiresProofKeys),
            sitePath: OpenIDRelyingParty.path, publicClients: applications.publicClients,
            findApplication: { id in
                guard RegisteredApplication.isID(id) else { return nil }
                return try await durable.application(id).map {
                    OpenIDClient($0, besides: siteName, requiresProofKey: applications.requiresProofKeys)
                }
            })
    }
}

/// The site of a classic dialect at one endpoint.
package struct ClassicSite: Sendable {
    package let mount: ClassicMount
    let policy: ClientPolicy
    let rps: RPS
    package let browsers: BrowserSessions
    package let openID: OpenIDSite
}

/// Both sides of the code flow at one endpoint.
package struct OpenIDSite: Sendable {
    package let login: OpenIDLogin
    let relyingParty: OpenIDRelyingParty
}

/// The login site of a platform generation at one endpoint.
package struct PlatformSite: Sendable {
    package let mount: PlatformMount
    let policy: ClientPolicy
    let platform: Platform
    let relyingParty: PlatformRelyingParty
    package let browsers: BrowserSessions
    package let openID: OpenIDSite
}
