// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
import MPinServer
import OpenIDProvider

/// The end of a browser's session: OpenID Connect RP-Initiated Logout 1.0.
extension OpenIDRoutes {
    private static let path = "authorize/logout"

    /// Ends a browser's session. Opening the address alone does not, unless the application proves that it knows who
    /// is logged in.
    func addLogout(to group: RouterGroup<BasicRequestContext>) {
        group.get("\(Self.path)") { request, _ in
            try await end(try request.queryFields(), request, isPersonsWish: false)
        }
        group.post("\(Self.path)") { request, _ in
            let body = try await request.wholeBody()
            guard body.allSatisfy({ (0x21...0x7e).contains($0) }),
                let fields = FormFields(String(decoding: body, as: UTF8.self))
            else { throw Refusal.invalidData }
            if fields[Pages.logoutButton] != nil {
                try await mount.refuseOtherOrigins(request)
                return try await end(fields, request, isPersonsWish: true)
            }
            // An application's form. Browsers send the cookie with the address only.
            let address = mount.base + "/" + Self.path
            return Response.redirect(
                to: body.isEmpty ? address : address + "?" + String(decoding: body, as: UTF8.self))
        }
    }

    private func end(_ fields: FormFields, _ request: Request, isPersonsWish: Bool) async throws -> Response {
        let pages = pages.speaking(fields["ui_locales"], to: request)
        let asked: LogoutRequest
        do { asked = try await login.provider.logoutRequest(fields) } catch let refusal as LogoutRefusal {
            login.refusals.note(refusal)
            return Response.html(pages.logoutRefused(refusal.field), status: .badRequest)
        }
        let session = try await login.sessionCookie.token(of: request)
        guard try await login.leave(session, asked, isPersonsWish: isPersonsWish) else {
            var response = Response.html(pages.providerLogout(for: asked.application, fields))
            response.headers[.contentSecurityPolicy] = asked.location.flatMap { Self.policy(leadingTo: $0) }
            return response
        }
        let response = asked.location.map { Response.redirect(to: $0) } ?? Response.html(pages.providerLoggedOut())
        return try await login.sessionCookie.remove(on: response)
    }

    /// The policy of a page whose form leads to this address. Browsers check the target of a form's redirect, too.
    /// - Returns: nil for an address that no policy can name.
    private static func policy(leadingTo location: String) -> String? {
        // A program's own address has no origin.
        let target = RedirectAddress.origin(of: location) ?? location.prefix { $0 != ":" } + ":"
        guard !target.contains(where: { ";,'\" ".contains($0) }) else { return nil }
        return GuardMiddleware.contentSecurityPolicy.replacing(
            "form-action 'self'", with: "form-action 'self' \(target)")
    }
}

extension Pages {
    /// The pages in the first language of an application's list that there is, else in the browser's.
    /// - Parameter locales: tags with spaces between them (OpenID Connect Core, section 3.1.2.1).
    fileprivate func speaking(_ locales: String?, to request: Request) -> Pages {
        var pages = speaking(to: request)
        let wishes = locales?.split(separator: " ").joined(separator: ",")
        if let wishes, let language = PageWords.language(askedFor: wishes) { pages.words = PageWords.named(language) }
        return pages
    }
}

extension OpenIDLogin {
    /// Ends the browser's session if the person wants it, or an application that proves to know who is logged in.
    /// - Returns: whether the browser is logged out now; false if the person has to be asked.
    fileprivate func leave(
        _ session: OneTimeToken?, _ asked: LogoutRequest, isPersonsWish: Bool
    ) async throws -> Bool {
        guard let session, let known = try await login(of: session) else { return true }
        guard isPersonsWish || asked.isProof(for: known) else { return false }
        try await endSession(session)
        return true
    }
}
