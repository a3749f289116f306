// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
import Hummingbird

/// The reason that a browser gives for a request; old browsers give none (Fetch Metadata Request Headers).
extension Request {
    /// Whether the browser shows the answer as a page of its own, now: no script, picture or frame, and no prefetch.
    var showsPages: Bool {
        told("Sec-Fetch-Dest") ?? "document" == "document" && told("Sec-Purpose")?.hasPrefix("prefetch") != true
    }

    /// Refuses a request whose answer no person sees. A picture on a stranger's page would take the room of everybody
    /// at the address of each visitor.
    func requirePage() throws(Refusal) {
        guard showsPages else { throw Refusal(403, "This address is a page") }
    }

    /// Refuses what a page of another site loads or sends, for the same reason.
    func refuseOtherSites() throws(Refusal) {
        guard ["same-origin", "none"].contains(told("Sec-Fetch-Site") ?? "none") else {
            throw Refusal(403, "Request from another site")
        }
    }

    private func told(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
