// SPDX-License-Identifier: Apache-2.0

import BackendValues
import HTTPTypes
package import Hummingbird

extension Router where Context == BasicRequestContext {
    private static var methods: [HTTPRequest.Method] { [.get, .head, .post, .put, .patch, .delete, .options] }

    /// Answers a method that a path does not have with 405 and the path's methods (RFC 9110, section 15.5.6), and
    /// `OPTIONS` with the methods. Call it after the last route.
    package func refuseOtherMethods() {
        for routes in Dictionary(grouping: routes, by: \.path.description).values {
            var answered = Set(routes.map(\.method))
            // The router makes `HEAD` from `GET`.
            if answered.contains(.get) { answered.insert(.head) }
            let allow = Self.methods.filter { answered.contains($0) || $0 == .options }
                .map(\.rawValue).joined(separator: ", ")
            for method in Self.methods where !answered.contains(method) {
                on(routes[0].path, method: method) { _, _ in try Self.reply(to: method, allow: allow) }
            }
        }
    }

    private static func reply(to method: HTTPRequest.Method, allow: String) throws(Refusal) -> Response {
        if method == .options { return Response(status: .noContent, headers: [.allow: allow]) }
        throw Refusal(405, "Method Not Allowed", headers: ["Allow": allow])
    }
}
