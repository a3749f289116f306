// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Waiting

/// The operator's page, below `/operator` of the origin: behind a password, without scripts.
struct OperatorRoutes: Sendable {
    private let desk: OperatorDesk
    private let site: SiteDescription
    private let cookie: SiteCookie
    private let pages = OperatorPages()

    init(desk: OperatorDesk, site: SiteDescription) {
        self.desk = desk
        self.site = site
        cookie = SiteCookie(
            name: "login_kiosk_operator", path: OperatorPages.path, url: { try await site.publicURL.value },
            sameSite: .strict)
    }

    func add(to router: Router<BasicRequestContext>) {
        let group = router.group("\(OperatorPages.path)").add(middleware: OperatorGuardMiddleware(site: site))
        addSession(to: group)
        addList(to: group)
    }

    private func addSession(to group: RouterGroup<BasicRequestContext>) {
        let (desk, cookie, pages) = (desk, cookie, pages)
        group.post("login") { request, _ in
            let fields = FormFields(String(decoding: try await request.wholeBody(), as: UTF8.self))
            do {
                let token = try await desk.logIn(fields?["password"] ?? "")
                return try await cookie.set(.session(token), on: Response.redirect(to: OperatorPages.path))
            } catch let refusal as Refusal where refusal.code == 401 || refusal.code == 429 {
                var response = Response.html(pages.login(refusal.message + "."), status: refusal.status)
                if let wait = refusal.headers[.retryAfter] { response.headers[.retryAfter] = wait }
                return response
            }
        }
        group.post("logout") { request, _ in
            _ = try await fields(of: request)
            try await desk.logOut(cookie.token(of: request))
            return Response.redirect(to: OperatorPages.path)
        }
    }

    private func addList(to group: RouterGroup<BasicRequestContext>) {
        let (desk, cookie, pages) = (desk, cookie, pages)
        group.get("/") { request, _ in
            guard let session = try await desk.session(of: cookie.token(of: request)) else {
                return Response.html(pages.login())
            }
            let query = try request.queryFields()
            let list = try await desk.state.users(page: Self.page(query))
            return Response.html(
                pages.list(
                    list, formToken: session.formToken, report: query["done"].flatMap { OperatorAction(rawValue: $0) }))
        }
        group.post("identities") { request, _ in
            let fields = try await fields(of: request)
            guard let action = fields["action"].flatMap({ OperatorAction(rawValue: $0) }), let user = fields["user"],
                (try? UserID(user)) != nil, let identity = fields["identity"]
            else { throw Refusal.invalidData }
            guard try await action.perform(on: user, fingerprint: identity, in: desk.state) else {
                throw Refusal(404, "No such identity")
            }
            return Response.redirect(to: OperatorPages.path + "?page=\(Self.page(fields))&done=\(action.rawValue)")
        }
    }

    /// The fields of a form of the operator's own page.
    /// - Throws: `Refusal` 401 for a browser that is not logged in, 403 for another page's form.
    private func fields(of request: Request) async throws -> FormFields {
        guard let session = try await desk.session(of: cookie.token(of: request)) else {
            throw Refusal(401, "Log in first")
        }
        guard let fields = FormFields(String(decoding: try await request.wholeBody(), as: UTF8.self)),
            let token = fields["token"].flatMap({ OneTimeToken($0) }),
            Digest.equal(token.digest, session.formToken.digest)
        else { throw Refusal(403, "Not a form of this page") }
        return fields
    }

    private static func page(_ fields: FormFields) -> Int {
        min(max(1, fields["page"].flatMap { Int($0) } ?? 1), 1_000_000)
    }
}
