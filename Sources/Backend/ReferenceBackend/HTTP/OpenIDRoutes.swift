// SPDX-License-Identifier: Apache-2.0

package import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
package import MPinServer
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
        addRevocation(to: group)
        addAuthorization(to: group)
        addPage(to: group)
        if login.sessionLifetime > .zero { addLogout(to: group) }
        addDiscovery(to: group)
    }

    private func addTokens(to group: RouterGroup<BasicRequestContext>) {
        group.get("oidc/certs") { _, _ in Self.cacheable(provider.tokens.keySet) }
        group.post("oidc/token") { request, _ in
            guard let fields = FormFields(String(decoding: try await request.wholeBody(), as: UTF8.self)) else {
                return TokenError(.invalidRequest, "the body is no form").response
            }
            do {
                let client = try await provider.client(fields, authorization: request.headers[.authorization])
                return Response.json(try await provider.redeem(fields, by: client).json)
            } catch let error as TokenError {
                try await login.refusals.note(
                    error, fields, authorization: request.headers[.authorization], at: provider)
                return error.response
            }
        }
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
        group.get(".well-known/openid-configuration") { _, _ in Self.cacheable(try await provider.metadata()) }
        for method in [HTTPRequest.Method.get, .post] {
            group.on("oidc/userinfo", method: method) { request, _ in
                do {
                    let form = method == .post && request.isForm ? try await request.formOrQueryFields() : nil
                    return Response.json(
                        try await provider.userInfo(request.headers[.authorization], form: form).json)
                } catch let error as TokenError {
                    return error.response
                }
            }
        }
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

/// The reason that a browser gives for a request; old browsers give none (Fetch Metadata Request Headers).
extension Request {
    /// Whether the browser shows the answer as a page of its own, now: no script, picture or frame, and no prefetch.
    var showsPages: Bool {
        told("Sec-Fetch-Dest") ?? "document" == "document" && told("Sec-Purpose")?.hasPrefix("prefetch") != true
    }

    /// Refuses a request whose answer no person sees. A picture on a stranger's page would take the room of everybody
    /// at the address of each visitor.
    func requirePage() throws(Refusal) {
        guard showsPages else { throw Refusal(403, "This address is a page") }
    }

    /// Refuses what a page of another site loads or sends, for the same reason.
    func refuseOtherSites() throws(Refusal) {
        guard ["same-origin", "none"].contains(told("Sec-Fetch-Site") ?? "none") else {
            throw Refusal(403, "Request from another site")
        }
    }

    private func told(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

/// A random name that distinguishes one page of the provider from a browser's other pages. It is no proof: the page's
/// cookie is.
package struct AuthorizationPageName: Sendable {
    private static let length = 16
    /// Pages that one browser may have open. More cookies would exceed the limits of proxies.
    static let openPages = 16

    private let text: String

    /// - Throws: `BackendError.randomnessUnavailable`.
    init() throws(BackendError) { text = String(try OneTimeToken.random().hex.prefix(Self.length)) }

    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
            return nil
        }
        self.text = String(text)
    }

    /// The path prefix of the page's requests.
    func root(of mount: any SiteMount) -> String { mount.root + "authorize/" + text + "/" }

    package func cookie(of mount: any SiteMount) -> SiteCookie {
        var cookie = mount.cookie("authorize/" + text)
        cookie.lifetime = AuthorizationRequest.lifetime
        return cookie
    }

    /// The browser's oldest pages, if it has too many. Browsers send older cookies first (RFC 6265, section 5.4).
    static func surplus(in request: Request, of mount: any SiteMount) async throws -> [AuthorizationPageName] {
        let prefix = try await mount.cookie("authorize/").fullName
        let names = request.headers[values: .cookie].joined(separator: ";").split(separator: ";")
            .compactMap { pair -> AuthorizationPageName? in
                let name = pair.split(separator: "=", maxSplits: 1)[0].drop { $0 == " " }
                return name.hasPrefix(prefix) ? AuthorizationPageName(name.dropFirst(prefix.count)) : nil
            }
        return Array(names.dropLast(openPages - 1))
    }
}

extension TokenError {
    var response: Response {
        var headers = HTTPFields()
        // A 401 names the method of authentication (RFC 9110, section 15.5.2).
        if let challenge = challenge ?? (code == .invalidClient ? "Basic realm=\"token\"" : nil) {
            headers[.wwwAuthenticate] = challenge
        }
        guard let code else { return Response(status: .unauthorized, headers: headers) }
        let isUnauthorized = code == .invalidClient || code == .invalidToken
        return Response.json(
            ["error": .string(code.rawValue), "error_description": .string(description)],
            status: isUnauthorized ? .unauthorized : .badRequest, headers: headers)
    }
}
