// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import MPinCrypto
import Waiting

/// The relying party's web site of a classic dialect. Milagro protocol, section 11.3.
struct SiteRoutes: Sendable {
    let classic: ClassicSite

    private var relyingParty: RelyingParty { classic.relyingParty }
    private var mount: ClassicMount { classic.mount }
    private var pages: Pages { Pages(root: mount.root) }
    private var cookie: SiteCookie { mount.cookie() }

    func add(to router: RouterGroup<BasicRequestContext>) {
        addDiscovery(to: router)
        addPages(to: router)
        addAuthentication(to: router)
        addActivation(to: router)
    }

    private func addDiscovery(to router: RouterGroup<BasicRequestContext>) {
        let (rps, policy) = (classic.rps, classic.policy)
        router.get("service") { request, _ in
            try policy.checkCompany(request)
            try policy.checkVersion(request)
            return Response.json(try await rps.serviceDescription())
        }
        router.get("status") { _, _ in
            Response.json(["version": .string(ProtocolVersion.current), "message": "active"])
        }
        for asset in PageAsset.allCases {
            router.get("\(asset.path)") { _, _ in Response.content(Array(asset.text.utf8), type: asset.type) }
        }
    }

    private func addPages(to router: RouterGroup<BasicRequestContext>) {
        let (relyingParty, pages, cookie, root) = (relyingParty, pages, cookie, mount.root)
        LoginPageRoutes(site: relyingParty, pages: pages, cookie: cookie).add(to: router)
        router.get("logout") { request, _ in
            await relyingParty.logOut(cookie.token(of: request))
            return Response.redirect(to: root)
        }
    }

    private func addAuthentication(to router: RouterGroup<BasicRequestContext>) {
        let (relyingParty, cookie, root) = (relyingParty, cookie, mount.root)
        router.post("mpinAuthenticate") { request, _ in
            try await refuseOtherOrigins(request)
            let body = try await request.jsonObject()
            guard let authOTT = body.object("mpinResponse")?.string("authOTT") else { throw Refusal.invalidData }
            let (token, reply) = try await relyingParty.authenticate(authOTT, session: cookie.token(of: request))
            return try await cookie.set(token, on: Response.json(reply))
        }
        router.post("logout") { request, _ in
            try await refuseOtherOrigins(request)
            // A browser's button sends nothing but its cookie, a device sends what it was given.
            let body = try await request.wholeBody()
            guard !body.isEmpty else {
                await relyingParty.logOut(cookie.token(of: request))
                return Response.redirect(to: root)
            }
            guard let logoutData = JSONObject(body: body) else { throw Refusal.invalidJSON }
            try await relyingParty.logOut(logoutData)
            return Response(status: .ok)
        }
    }

    private func addActivation(to router: RouterGroup<BasicRequestContext>) {
        let (relyingParty, pages) = (relyingParty, pages)
        router.get("mpinActivate") { request, _ in
            guard let link = ActivationLink(fields: try request.queryFields()) else {
                return Response.html(pages.activationFailed(), status: .badRequest)
            }
            return Response.html(pages.activation(link))
        }
        router.post("mpinActivate") { request, _ in
            try await refuseOtherOrigins(request)
            let body = String(decoding: try await request.wholeBody(), as: UTF8.self)
            let query = try request.queryFields()
            guard let link = ActivationLink(fields: query) ?? FormFields(body).flatMap({ ActivationLink(fields: $0) }),
                try await relyingParty.activate(link)
            else { return Response.html(pages.activationFailed(), status: .badRequest) }
            return Response.html(pages.activated(link))
        }
    }

    /// A browser names the origin of the page that sent a request; devices name none. Another site must not be able to
    /// log its visitors in or out here.
    private func refuseOtherOrigins(_ request: Request) async throws {
        guard let origin = request.headers[.origin] else { return }
        let publicURL = try await mount.site.publicURL.value
        let sameHost = request.head.authority.map { origin == "http://" + $0 || origin == "https://" + $0 } ?? false
        guard sameHost || publicURL == origin || publicURL.hasPrefix(origin + "/") else {
            throw Refusal(403, "Request from another site")
        }
    }
}
