// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Hummingbird
import LinuxSystem
import Logging
import MPinServer
import OperatorPage

/// The origin that browsers, kiosks and applications reach, with the sites of all dialects.
struct PublicSite: Sendable {
    let configuration: Backend.Configuration
    let server: ServerParts
    let classicSites: [ClassicSite]
    let platformSites: [PlatformSite]
    let operatorSessions: OperatorSessions
    let readiness: Readiness
    let pictures: QRPictures
    let startTime: WallTime
    let connections: ConnectionRules
    let logger: Logger
    let port = Eventually<Int>()

    var webServer: WebServer {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        addMiddleware(to: router)
        for site in classicSites { add(site, to: router) }
        HealthRoutes(readiness: readiness).add(to: router)
        IndexRoutes(site: server.site, projectID: server.projectID, origin: configuration.devices.dialect)
            .add(to: router)
        for site in platformSites { add(site, to: router) }
        OperatorRoutes(sessions: operatorSessions, site: server.site, logger: logger).add(to: router)
        if configuration.mails.publicOutbox { OutboxRoutes(outbox: server.outbox).add(to: router) }
        router.refuseOtherMethods()
        let (port, publicURL, listen) = (port, server.site.publicURL, configuration.site.listen)
        let origin = (configuration.tls.files == nil ? "http://" : "https://") + listen.urlHost
        return WebServer(
            responder: router.buildResponder(), connections: connections, host: listen.host, port: listen.port,
            logger: logger,
            whenBound: { bound in
                publicURL.settle(.success(origin + ":\(bound)"))
                port.settle(.success(bound))
            })
    }

    private func addMiddleware(to router: Router<BasicRequestContext>) {
        let storage = server.storage.durable
        let platformRoots = platformSites.map(\.mount.root)
        router.add(
            middleware: CrossOriginMiddleware(
                roots: platformRoots, providerRoots: classicSites.map(\.mount.root) + platformRoots,
                applicationAddresses: configuration.applications.publicClient.map(\.redirectURI),
                isApplication: { origin in
                    try await storage.applications().contains { application in
                        application.secretDigest == nil
                            && application.redirectURIs.contains { RedirectAddress.isOrigin(origin, of: $0) }
                    }
                }))
        router.add(
            middleware: GuardMiddleware(
                logger: logger, isHTTPS: configuration.isHTTPS, pages: Pages(root: "/", site: server.site.name)))
        router.add(middleware: LanguageMiddleware())
    }

    private func add(_ site: ClassicSite, to router: Router<BasicRequestContext>) {
        let group = router.group("\(site.mount.base)")
        RPSRoutes(rps: site.rps, policy: site.policy).add(to: group)
        let authority = server.authorities.second
        if authority.url == nil {
            AuthorityRoutes(authority: authority, startTime: startTime, clock: server.clock)
                .add(to: group.group("dta"))
        }
        SiteRoutes(classic: site, pictures: pictures).add(to: group)
        add(site.openID, to: group, router)
    }

    private func add(_ site: PlatformSite, to router: Router<BasicRequestContext>) {
        PlatformRoutes(
            platform: site.platform, mount: site.mount, policy: site.policy,
            relyingParty: site.relyingParty.credentials
        ).add(to: router)
        PlatformSiteRoutes(site: site, pictures: pictures).add(to: router)
        add(site.openID, to: router.group("\(site.mount.base)"), router)
    }

    /// Adds what the sites of all dialects have: the links in mails, and both sides of the code flow.
    private func add(
        _ openID: OpenIDSite, to group: RouterGroup<BasicRequestContext>, _ router: Router<BasicRequestContext>
    ) {
        let mount = openID.login.mount
        MailLinkRoutes(links: server.outbox.links, pages: Pages(at: mount)).add(to: group)
        let provider = OpenIDRoutes(login: openID.login, pictures: pictures)
        provider.add(to: group)
        provider.addServerMetadata(to: router)
        OpenIDSiteRoutes(relyingParty: openID.relyingParty, mount: mount).add(to: group)
    }
}
