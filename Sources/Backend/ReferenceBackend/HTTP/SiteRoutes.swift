// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import LinuxSystem
import MPinCrypto
import MPinServer

/// The relying party's web site of a classic dialect. docs/protocol/milagro.md, section 11.3.
struct SiteRoutes: Sendable {
    let classic: ClassicSite
    let pictures: QRPictures

    private var browsers: BrowserSessions { classic.browsers }
    private var mount: ClassicMount { classic.mount }
    private var pages: Pages { Pages(at: mount) }
    private var cookie: SiteCookie { mount.cookie() }

    func add(to router: RouterGroup<BasicRequestContext>) {
        addDiscovery(to: router)
        addPages(to: router)
        addAuthentication(to: router)
        addActivation(to: router)
    }

    private func addDiscovery(to router: RouterGroup<BasicRequestContext>) {
        router.get("service") { request, _ in
            try classic.policy.checkCompany(request)
            try classic.policy.checkVersion(request)
            return Response.json(try await classic.rps.serviceDescription().json)
        }
        router.get("status") { _, _ in
            Response.json([
                "version": .string(ProtocolVersion.current), "message": "active",
                "registrations": .string(mount.site.registrations.rawValue),
            ])
        }
        for asset in PageAsset.all {
            router.get("\(asset.path)") { _, _ in Response.content(asset.content, type: asset.type) }
        }
    }

    private func addPages(to router: RouterGroup<BasicRequestContext>) {
        LoginPageRoutes(browsers: browsers, pages: pages, cookie: cookie, pictures: pictures).add(to: router)
        // Only a form logs out: a link or picture on another site could request this address.
        router.get("logout") { request, _ in Response.html(pages.speaking(to: request).logout()) }
    }

    private func addAuthentication(to router: RouterGroup<BasicRequestContext>) {
        router.post("mpinAuthenticate") { request, _ in
            try await mount.refuseOtherOrigins(request)
            let login = try DeviceLoginRequest(await request.jsonObject())
            let old = try await cookie.value(of: request)
            // Check before the login is checked: without a device that waits, nobody could take the verdict back.
            try browsers.loggedIn.requireRoom()
            let (current, reply) = try await browsers.authenticate(login.authOTT, by: classic.rps)
            try await browsers.loggedIn.logOut(old)
            return try await cookie.set(current, on: Response.json(reply))
        }
        router.post("logout") { request, _ in
            try await mount.refuseOtherOrigins(request)
            // A browser's button sends only its cookie. A device sends the data that it was given.
            let body = try await request.wholeBody()
            guard !body.isEmpty else {
                try await browsers.loggedIn.logOut(cookie.value(of: request))
                return Response.redirect(to: mount.root)
            }
            guard let logoutData = JSONObject(body: body) else { throw Refusal.invalidJSON }
            try await browsers.loggedIn.logOut(LogoutData(logoutData))
            return Response(status: .ok)
        }
    }

    private func addActivation(to router: RouterGroup<BasicRequestContext>) {
        router.get("mpinActivate") { request, _ in
            guard let link = ActivationLink(fields: try request.queryFields()) else {
                return Response.html(pages.speaking(to: request).activationFailed(), status: .badRequest)
            }
            return Response.html(pages.speaking(to: request).activation(link))
        }
        router.post("mpinActivate") { request, _ in
            try await mount.refuseOtherOrigins(request)
            let body = String(decoding: try await request.wholeBody(), as: UTF8.self)
            let query = try request.queryFields()
            guard let link = ActivationLink(fields: query) ?? FormFields(body).flatMap({ ActivationLink(fields: $0) }),
                try await classic.rps.activate(link)
            else { return Response.html(pages.speaking(to: request).activationFailed(), status: .badRequest) }
            return Response.html(pages.speaking(to: request).activated(link))
        }
    }
}
