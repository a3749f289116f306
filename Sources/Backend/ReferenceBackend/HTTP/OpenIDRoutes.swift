// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import MPinServer
import OpenIDProvider

/// The OpenID provider of one endpoint.
struct OpenIDRoutes: Sendable {
    let login: OpenIDLogin
    let pictures: QRPictures

    var provider: OpenIDProvider { login.provider }
    var mount: any SiteMount { login.mount }
    var pages: Pages { Pages(at: mount) }

    func add(to group: RouterGroup<BasicRequestContext>) {
        addTokens(to: group)
        addAuthorization(to: group)
        addPage(to: group)
        if login.sessionLifetime > .zero { addLogout(to: group) }
        addDiscovery(to: group)
    }

    /// A document that changes rarely. A relying party that finds no key for a token fetches it again anyway.
    private static func cacheable(_ document: JSONObject) -> Response {
        var response = Response.json(document)
        response.headers[.cacheControl] = "public, max-age=300"
        return response
    }

    static let serverMetadata = "/.well-known/oauth-authorization-server"

    /// Adds the provider's metadata at the address where OAuth clients look: the endpoint's path stands behind the
    /// well-known one (RFC 8414, section 3.1).
    func addServerMetadata(to router: Router<BasicRequestContext>) {
        router.get("\(Self.serverMetadata + mount.base)") { _, _ in
            Self.cacheable(try await provider.metadata())
        }
    }

    private func addDiscovery(to group: RouterGroup<BasicRequestContext>) {
        group.get("oidc/certs") { _, _ in Self.cacheable(provider.tokens.keySet) }
        group.get(".well-known/openid-configuration") { _, _ in Self.cacheable(try await provider.metadata()) }
    }

    private func addAuthorization(to group: RouterGroup<BasicRequestContext>) {
        group.get("authorize") { request, _ in
            let pages = pages.speaking(to: request)
            do { return try await begin(request, pages) } catch AuthorizationRefusal.page(let reason) {
                return Response.html(pages.authorizationRefused(reason), status: .badRequest)
            } catch AuthorizationRefusal.redirect(let error) {
                return error.answer(issuer: try await mount.url).response(pages)
            }
        }
        group.post("authorize") { request, _ in
            let body = try await request.wholeBody()
            // A browser's form has the parameters of the address (OpenID Connect Core, section 3.1.2.1). A device
            // sends JSON.
            if request.isForm {
                guard body.allSatisfy({ (0x21...0x7e).contains($0) }) else { throw Refusal.invalidData }
                return Response.redirect(to: mount.base + "/authorize?" + String(decoding: body, as: UTF8.self))
            }
            let fields = try request.queryFields()
            guard let object = JSONObject(body: body) else { throw Refusal.invalidJSON }
            let expected = object.string("prerollId") ?? fields["prerollid"] ?? ""
            let namesProject = ClientPolicy.isNamed(login.projectID, by: request)
            let session = try await login.openApplicationSession(
                fields, expecting: expected, namesProject: namesProject)
            return Response.json(session.json)
        }
    }

    /// Shows a page to log in on, or sends a browser that is logged in back to the application.
    /// - Throws: as ``OpenIDLogin/begin(_:session:surplus:showsPages:)``.
    private func begin(_ request: Request, _ pages: Pages) async throws -> Response {
        guard let fields = FormFields(request.uri.query ?? "") else {
            throw AuthorizationRefusal.page(.brokenAddress)
        }
        let (visit, application): (BrowserCookie, String?)
        let surplus = try await AuthorizationPageName.surplus(in: request, of: mount)
        var gone: [BrowserCookie] = []
        for old in surplus {
            if let value = try await old.cookie(of: mount).value(of: request) { gone.append(value) }
        }
        switch try await login.begin(
            fields, session: login.sessionCookie.token(of: request), surplus: gone, showsPages: request.showsPages)
        {
        case .goOn(let answer): return answer.response(pages)
        case .page(let cookie, let name): (visit, application) = (cookie, name)
        }
        let name = try AuthorizationPageName()
        let page = pages.authorization(
            at: name.root(of: mount), for: application ?? mount.site.name,
            picture: login.browsers.attempt(of: visit)?.pictureName ?? "",
            code: login.browsers.typedCode(for: visit))
        var response = try await name.cookie(of: mount).set(visit, on: Response.html(page))
        for old in surplus { response = try await old.cookie(of: mount).remove(on: response) }
        return response
    }

    /// Adds the addresses that a page loads, and where it continues. Each page has its own paths and cookie, so that
    /// two tabs of one browser do not interfere.
    private func addPage(to group: RouterGroup<BasicRequestContext>) {
        let page = group.group("authorize/:page")
        @Sendable func cookie(_ context: BasicRequestContext) throws(Refusal) -> SiteCookie {
            guard let name = context.parameters.get("page").flatMap({ AuthorizationPageName($0) }) else {
                throw .notFound
            }
            return name.cookie(of: mount)
        }
        page.get("qr.png") { request, context in
            guard let attempt = try await login.attempt(of: cookie(context).value(of: request)) else {
                throw Refusal.notFound
            }
            return Response.content(try pictures.png(of: attempt.qrText), type: "image/png")
        }
        page.get("session") { request, context in
            try await login.browsers.answer(request, try cookie(context)) { try await login.state(of: $0) }
        }
        page.get("done") { request, context in
            let cookie = try cookie(context)
            let (answer, session) = try await login.finish(cookie.value(of: request))
            let response = try await cookie.remove(on: answer.response(pages.speaking(to: request)))
            return try await login.sessionCookie.set(session.map { .session($0) }, on: response)
        }
        page.get("cancel") { request, context in
            let cookie = try cookie(context)
            let answer = try await login.cancel(cookie.value(of: request))
            return try await cookie.remove(on: answer.response(pages.speaking(to: request)))
        }
    }
}

extension OpenIDLogin {
    /// The cookie of a browser that is logged in for further applications.
    var sessionCookie: SiteCookie {
        var cookie = mount.cookie("authorize")
        cookie.lifetime = sessionLifetime
        return cookie
    }
}
