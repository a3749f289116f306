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
