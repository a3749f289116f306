// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import OpenIDProvider
import WebTokens

/// The OpenID provider of one place. The private listener serves what relying parties ask, without a proof of who they
/// are.
struct OpenIDRoutes: Sendable {
    let login: OpenIDLogin
    let isPrivate: Bool
    let pictures: QRPictures

    private var provider: OpenIDProvider { login.provider }

    func add(to group: RouterGroup<BasicRequestContext>) {
        addTokens(to: group)
        guard !isPrivate else { return }
        addAuthorization(to: group)
        addPage(to: group)
        addDiscovery(to: group)
    }

    private func addTokens(to group: RouterGroup<BasicRequestContext>) {
        let (provider, isPrivate) = (provider, isPrivate)
        group.get("oidc/certs") { _, _ in Response.json(provider.tokens.keySet) }
        group.post("oidc/token") { request, _ in
            guard let fields = FormFields(String(decoding: try await request.wholeBody(), as: UTF8.self)) else {
                return TokenError(.invalidRequest, "the body is no form").response
            }
            do {
                let authorization = isPrivate ? nil : request.headers[.authorization]
                let client =
                    isPrivate
                    ? try await provider.ownClient
                    : try await provider.client(fields, authorization: authorization)
                return Response.json(try await provider.redeem(fields, by: client).json)
            } catch let error as TokenError {
                return error.response
            }
        }
    }

    private func addDiscovery(to group: RouterGroup<BasicRequestContext>) {
        let provider = provider
        group.get(".well-known/openid-configuration") { _, _ in Response.json(try await provider.metadata()) }
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
        let (login, mount) = (login, login.mount)
        let cookie = mount.cookie(Self.path)
        let pages = Pages(root: mount.root)
        group.get("authorize") { request, _ in
            do {
                guard let fields = FormFields(request.uri.query ?? "") else {
                    throw AuthorizationRefusal.page("The address that sent you here is broken.")
                }
                let visit = try await login.begin(fields)
                let page = pages.authorization(
                    number: .random(in: .min ... .max), code: login.browsers.typedCode(for: visit))
                return try await cookie.set(visit, on: Response.html(page))
            } catch AuthorizationRefusal.page(let reason) {
                return Response.html(pages.authorizationRefused(reason), status: .badRequest)
            } catch AuthorizationRefusal.redirect(let error) {
                return Response.redirect(to: error.location(issuer: try await mount.url))
            }
        }
        group.post("authorize") { request, _ in
            let body = try await request.wholeBody()
            // A browser's form says the same as an address (OpenID Connect Core, section 3.1.2.1); a device sends JSON.
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

    /// What the page loads, and where it goes on.
    private func addPage(to group: RouterGroup<BasicRequestContext>) {
        let (login, pictures) = (login, pictures)
        let cookie = login.mount.cookie(Self.path)
        group.get("authorize/qr.png") { request, _ in
            guard let attempt = try await login.attempt(of: cookie.value(of: request)) else {
                throw Refusal.notFound
            }
            return Response.content(try pictures.png(of: attempt.qrText), type: "image/png")
        }
        group.get("authorize/session") { request, _ in
            let (current, state) = try await login.state(of: cookie.value(of: request))
            return try await cookie.set(current, on: Response.json(state.json))
        }
        group.get("authorize/done") { request, _ in
            Response.redirect(to: try await login.finish(cookie.value(of: request)))
        }
        group.get("authorize/cancel") { request, _ in
            Response.redirect(to: try await login.cancel(cookie.value(of: request)))
        }
    }

    private static let path = "authorize"
}

extension TokenError {
    fileprivate var response: Response {
        var headers = HTTPFields()
        if let challenge { headers[.wwwAuthenticate] = challenge }
        guard let code else { return Response(status: .unauthorized, headers: headers) }
        let isUnauthorized = code == .invalidClient || code == .invalidToken
        return Response.json(
            ["error": .string(code.rawValue), "error_description": .string(description)],
            status: isUnauthorized ? .unauthorized : .badRequest, headers: headers)
    }
}
