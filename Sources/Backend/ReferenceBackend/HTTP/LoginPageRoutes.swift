// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Hummingbird

/// The pages of every login site: the code, the script's polls, and the page for people who are logged in.
struct LoginPageRoutes: Sendable {
    let browsers: BrowserSessions
    let pages: Pages
    let cookie: SiteCookie
    let pictures: QRPictures

    func add(to router: some RouterMethods<BasicRequestContext>) {
        router.get("/") { request, _ in
            try request.requirePage()
            // A page without a script polls by reloading.
            let (current, user) = try await browsers.visit(
                cookie.value(of: request), isWaiting: request.uri.query == Pages.waiting)
            let pages = pages.speaking(to: request)
            let page: String
            if let user {
                page = pages.home(user: user)
            } else {
                page = pages.login(
                    picture: browsers.attempt(of: current)?.pictureName ?? "", code: browsers.typedCode(for: current))
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
            try await browsers.answer(request, cookie) { try await browsers.state(of: $0) }
        }
        router.get("protected") { request, _ in
            guard let user = try await browsers.loggedIn.user(of: cookie.value(of: request)) else {
                return Response.html(pages.speaking(to: request).loginNeeded(), status: .unauthorized)
            }
            return Response.html(pages.speaking(to: request).protected(user: user))
        }
    }
}
