// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Hummingbird
import Sealing

/// The outbox's password, new at every start. It is for HTTP Basic, so that a person can open the outbox in a
/// browser.
struct OutboxPassword: Sendable, CustomStringConvertible {
    static let userName = "login-kiosk"

    /// The value of the `Authorization` header.
    let authorization: String

    var description: String { "<redacted>" }

    func admits(_ authorization: String?) -> Bool {
        Digest.equal(Array((authorization ?? "").utf8), Array(self.authorization.utf8))
    }
}

extension OutboxPassword {
    init(token: OneTimeToken) {
        self.init(authorization: "Basic " + Base64.text((Self.userName + ":" + token.hex).utf8))
    }
}

/// Admits only requests with the outbox's password.
struct OutboxPasswordMiddleware: RouterMiddleware {
    typealias Context = BasicRequestContext

    let password: OutboxPassword

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard password.admits(request.headers[.authorization]) else {
            throw Refusal(
                401, "Password needed", headers: ["WWW-Authenticate": "Basic realm=\"login-kiosk backend\""])
        }
        return try await next(request, context)
    }
}
