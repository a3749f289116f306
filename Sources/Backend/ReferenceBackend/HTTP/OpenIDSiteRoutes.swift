// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import MPinServer

/// The web site's side of the code flow, and what an application on a device asks its server.
struct OpenIDSiteRoutes: Sendable {
    let relyingParty: OpenIDRelyingParty
    let mount: any SiteMount

    func add(to group: RouterGroup<BasicRequestContext>) {
        addLogin(to: group)
        guard mount.dialect.hasApplicationLogins else { return }
        // The protocol's description uses GET, clients use POST.
        for method in [HTTPRequest.Method.get, .post] {
            group.on("authzurl", method: method) { _, _ in
                Response.json(try await relyingParty.authorizationURL().json)
            }
        }
        group.post("authtoken") { request, _ in
            let admission = try DeviceAdmissionRequest(await request.jsonObject())
            return Response.json(try await relyingParty.admitDevice(admission).json)
        }
    }

    private func addLogin(to group: RouterGroup<BasicRequestContext>) {
        let (pages, cookie, wayThere) = (Pages(at: mount), mount.cookie(), mount.cookie("login"))
        group.get("login") { request, _ in
            let fields = try request.queryFields()
            guard fields["code"] != nil || fields["error"] != nil else {
                try request.requirePage()
                let (browser, location) = try await relyingParty.begin(
                    replacing: wayThere.token(of: request))
                return try await wayThere.set(.session(browser), on: Response.redirect(to: location))
            }
            do {
                let current = try await relyingParty.finish(
                    fields, browser: wayThere.token(of: request), session: cookie.value(of: request))
                return try await cookie.set(current, on: Response.redirect(to: mount.root + "protected"))
            } catch let refusal as Refusal where refusal.code < 500 {
                return Response.html(pages.speaking(to: request).loginFailed(), status: refusal.status)
            }
        }
    }
}
