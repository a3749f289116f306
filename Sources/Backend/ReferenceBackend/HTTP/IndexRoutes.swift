// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import Hummingbird
import LinuxSystem
import MPinServer

/// `GET /dialects`: a page with links to all sites of this backend.
struct IndexRoutes: Sendable {
    let site: SiteDescription
    let projectID: String
    let origin: Dialect

    func add(to router: Router<BasicRequestContext>) {
        router.get("\(IndexPage.path)") { _, _ in
            let url = try await site.publicURL.value
            return Response.html(IndexPage(url: url, projectID: projectID, origin: origin).text)
        }
    }
}

/// The sent mails, for demonstrations: a page, or JSON if the client asks for it.
struct OutboxRoutes: Sendable {
    let outbox: Outbox

    func add(to router: Router<BasicRequestContext>) {
        let pages = Pages(root: "/")
        router.get("outbox") { request, _ in
            let mails = try await outbox.mails
            if request.headers[.accept]?.contains("application/json") == true {
                return Response.json(["mails": .array(mails.map { .object($0.summary.members) })])
            }
            return Response.html(pages.outbox(mails))
        }
    }
}
