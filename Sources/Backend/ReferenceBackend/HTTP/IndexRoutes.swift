// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Waiting

/// `GET /dialects`: the page that leads to every site of this backend.
struct IndexRoutes: Sendable {
    let site: SiteDescription
    let projectID: String
    let origin: Backend.Dialect

    func add(to router: Router<BasicRequestContext>) {
        let (site, projectID, origin) = (site, projectID, origin)
        router.get("\(IndexPage.path)") { _, _ in
            let url = try await site.publicURL.value
            return Response.html(IndexPage(url: url, projectID: projectID, origin: origin).text)
        }
    }
}

/// The mails that were sent, for demonstrations: a page, or JSON for a client that asks for it.
struct OutboxRoutes: Sendable {
    let outbox: Outbox

    func add(to router: Router<BasicRequestContext>) {
        let outbox = outbox
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
