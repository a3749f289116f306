// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The mails that were sent, for demonstrations: a page, or JSON for a client that asks for it.
struct OutboxRoutes: Sendable {
    let outbox: Outbox

    func add(to router: Router<BasicRequestContext>) {
        let outbox = outbox
        let pages = Pages(root: "/")
        router.get("outbox") { request, _ in
            let mails = await outbox.mails
            if request.headers[.accept]?.contains("application/json") == true {
                return Response.json(["mails": .array(mails.map { .object($0.summary.members) })])
            }
            return Response.html(pages.outbox(mails))
        }
    }
}
