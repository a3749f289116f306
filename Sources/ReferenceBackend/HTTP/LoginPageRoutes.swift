// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The pages that every site to log in to has: the code, the script's question how far the login is, what only people see
/// who are logged in.
struct LoginPageRoutes<Site: LoginSite>: Sendable {
    let site: Site
    let pages: Pages
    let cookie: SiteCookie

    func add(to router: some RouterMethods<BasicRequestContext>) {
        let (site, pages, cookie) = (site, pages, cookie)
        router.get("/") { request, _ in
            let (token, user) = try await site.visit(cookie.token(of: request))
            let page: String
            if let user {
                page = pages.home(user: user)
            } else {
                page = pages.login(number: .random(in: .min ... .max), code: await site.typedCode(for: token))
            }
            return try await cookie.set(token, on: Response.html(page))
        }
        router.get("qr.png") { request, _ in
            guard let picture = try await site.qrPicture(for: cookie.token(of: request)) else {
                throw Refusal.notFound
            }
            return Response.content(picture, type: "image/png")
        }
        router.get("session") { request, _ in
            let (token, state) = try await site.state(of: cookie.token(of: request))
            return try await cookie.set(token, on: Response.json(state))
        }
        router.get("protected") { request, _ in
            guard let user = await site.user(of: cookie.token(of: request)) else {
                return Response.html(pages.loginNeeded(), status: .unauthorized)
            }
            return Response.html(pages.protected(user: user))
        }
    }
}
