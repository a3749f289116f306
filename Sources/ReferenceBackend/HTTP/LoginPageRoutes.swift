// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The pages that every site to log in to has: the code, the script's question how far the login is, what only people see
/// who are logged in.
struct LoginPageRoutes<Site: LoginSite>: Sendable {
    let site: Site
    let pages: Pages
    let cookie: SiteCookie
    let pictures: QRPictures

    func add(to router: some RouterMethods<BasicRequestContext>) {
        let (site, pages, cookie, pictures) = (site, pages, cookie, pictures)
        router.get("/") { request, _ in
            let (current, user) = try await site.visit(cookie.value(of: request))
            let page: String
            if let user {
                page = pages.home(user: user)
            } else {
                page = pages.login(number: .random(in: .min ... .max), code: await site.typedCode(for: current))
            }
            return try await cookie.set(current, on: Response.html(page))
        }
        router.get("qr.png") { request, _ in
            guard let attempt = try await site.attempt(of: cookie.value(of: request)) else { throw Refusal.notFound }
            return Response.content(try pictures.png(of: attempt.qrText), type: "image/png")
        }
        router.get("session") { request, _ in
            let (current, state) = try await site.state(of: cookie.value(of: request))
            return try await cookie.set(current, on: Response.json(state))
        }
        router.get("protected") { request, _ in
            guard let user = try await site.user(of: cookie.value(of: request)) else {
                return Response.html(pages.loginNeeded(), status: .unauthorized)
            }
            return Response.html(pages.protected(user: user))
        }
    }
}
