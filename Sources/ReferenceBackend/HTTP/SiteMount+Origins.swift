// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Waiting

extension SiteMount {
    /// A browser names the origin of the page that sent a request; devices name none. Another site must not be able to
    /// log its visitors in or out here.
    /// - Throws: `Refusal` 403.
    func refuseOtherOrigins(_ request: Request) async throws {
        guard let origin = request.headers[.origin] else { return }
        let publicURL = try await site.publicURL.value
        let sameHost = request.head.authority.map { origin == "http://" + $0 || origin == "https://" + $0 } ?? false
        guard sameHost || publicURL == origin || publicURL.hasPrefix(origin + "/") else {
            throw Refusal(403, "Request from another site")
        }
    }
}
