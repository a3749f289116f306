// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import MPinServer

/// The pages of a Trust project: the relying party's web site, and the target of the link in a verification mail.
struct PlatformSiteRoutes: Sendable {
    let site: PlatformSite
    let pictures: QRPictures

    private var mount: PlatformMount { site.mount }
    private var pages: Pages { Pages(at: mount) }
    private var cookie: SiteCookie { mount.cookie() }

    func add(to router: Router<BasicRequestContext>) {
        let group = router.group("\(mount.path)")
        for asset in PageAsset.all {
            group.get("\(asset.path)") { _, _ in Response.content(asset.content, type: asset.type) }
        }
        addPages(to: group)
        addVerification(to: group)
        addRevocation(to: group)
        addDocuments(to: group)
    }

    private func addPages(to group: RouterGroup<BasicRequestContext>) {
        LoginPageRoutes(browsers: site.browsers, pages: pages, cookie: cookie, pictures: pictures).add(to: group)
        group.get("logout") { request, _ in Response.html(pages.speaking(to: request).logout()) }
        group.post("logout") { request, _ in
            try await mount.refuseOtherOrigins(request)
            try await site.browsers.loggedIn.logOut(cookie.value(of: request))
            return Response.redirect(to: mount.root)
        }
    }

    private func addVerification(to group: RouterGroup<BasicRequestContext>) {
        let platform = site.platform
        group.get("verification/confirmation") { request, _ in
            guard let link = Self.code(in: try request.queryFields()), let page = try await platform.page(behind: link)
            else { return Response.html(pages.speaking(to: request).activationFailed(), status: .badRequest) }
            return Response.html(pages.speaking(to: request).verification(page))
        }
        group.get("verification/qr.png") { request, _ in
            try request.refuseOtherSites()
            guard let code = Self.code(in: try request.queryFields()) else { throw Refusal.invalidData }
            let link = code.link(below: try await mount.url)
            return Response.content(try pictures.png(of: link), type: "image/png")
        }
    }

    /// Revokes by a form. The mail's link alone changes nothing, because programs open links too.
    private func addRevocation(to group: RouterGroup<BasicRequestContext>) {
        let platform = site.platform
        group.get("revoke") { request, _ in
            guard let link = RevocationLink(fields: try request.queryFields()),
                link.isValid(now: platform.clock.now, credentials: platform.credentials)
            else { return Response.html(pages.speaking(to: request).revocationFailed(), status: .badRequest) }
            return Response.html(pages.speaking(to: request).revocation(link))
        }
        group.post("revoke") { request, _ in
            try await mount.refuseOtherOrigins(request)
            guard let fields = try await request.formFields(), let link = RevocationLink(fields: fields) else {
                return Response.html(pages.speaking(to: request).revocationFailed(), status: .badRequest)
            }
            let count = try await platform.revoke(link, everything: fields["all"] != nil)
            return count == 0
                ? Response.html(pages.speaking(to: request).revocationFailed(), status: .badRequest)
                : Response.html(pages.speaking(to: request).revoked(count))
        }
    }

    /// Adds both forms of the paths, because applications use either. They send fields in the body or in the query.
    private func addDocuments(to group: RouterGroup<BasicRequestContext>) {
        let relyingParty = site.relyingParty
        for path in ["", "login/"] {
            group.post("\(path)CreateDocumentHash") { request, _ in
                guard let document = try await request.formOrQueryFields()["document"] else {
                    throw Refusal.invalidData
                }
                return Response.json(relyingParty.offer(document).json)
            }
            group.post("\(path)VerifySignature") { request, _ in
                let document = try SignedDocument(await request.formOrQueryFields())
                return Response.json(try await relyingParty.verdict(on: document).json)
            }
        }
    }

    private static func code(in fields: FormFields) -> UserCode? {
        guard let userID = fields["user_id"].flatMap({ try? UserID($0) }), let code = fields["code"],
            MailLinks.isToken(code)
        else { return nil }
        return UserCode(userID: userID.text, code: code)
    }
}
