// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import Hummingbird
import MPinServer

/// `GET /a/{token}` below each endpoint.
struct MailLinkRoutes: Sendable {
    let links: MailLinks
    let pages: Pages

    func add(to group: RouterGroup<BasicRequestContext>) {
        group.get("\(MailLinks.path)/{token}") { request, context in
            guard let token = context.parameters.get("token"), let target = try await links.target(of: token) else {
                return Response.html(pages.speaking(to: request).activationFailed(), status: .notFound)
            }
            return Response.redirect(to: target)
        }
    }
}
