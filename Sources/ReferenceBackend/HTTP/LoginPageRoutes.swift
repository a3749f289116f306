// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The pages that every site to log in to has: the code, the script's question how far the login is, what only people
/// see who are logged in.
struct LoginPageRoutes: Sendable {
    let browsers: BrowserSessions
    let pages: Pages
    let cookie: SiteCookie
    let pictures: QRPictures

    func add(to router: some RouterMethods<BasicRequestContext>) {
        let (browsers, pages, cookie, pictures) = (browsers, pages, cookie, pictures)
        router.get("/") { request, _ in
            let (current, user) = try await browsers.visit(cookie.value(of: request))
            let page: String
            if let user {
                page = pages.home(user: user)
            } else {
                page = pages.login(number: .random(in: .min ... .max), code: browsers.typedCode(for: current))
            }
            return try await cookie.set(current, on: Response.html(page))
        }
        router.get("qr.png") { request, _ in
            guard let attempt = try await browsers.attempt(of: cookie.value(of: request)) else {
                throw Refusal.notFound
            }
            return Response.content(try pictures.png(of: attempt.qrText), type: "image/png")
        }
        router.get("session") { request, _ in
            let (current, state) = try await browsers.state(of: cookie.value(of: request))
            return try await cookie.set(current, on: Response.json(state.json))
        }
        router.get("protected") { request, _ in
            guard let user = try await browsers.user(of: cookie.value(of: request)) else {
                return Response.html(pages.loginNeeded(), status: .unauthorized)
            }
            return Response.html(pages.protected(user: user))
        }
    }
}
