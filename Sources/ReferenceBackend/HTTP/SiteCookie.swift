// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// The cookie by which a web site knows a browser again.
struct SiteCookie: Sendable {
    let name: String
    /// The part of the site that it is sent to.
    let path: String
    /// The site's address. It is known once the ports are bound.
    let url: @Sendable () async throws -> String
    /// Strict where nobody comes from another site on purpose.
    var sameSite = Cookie.SameSite.lax

    func token(of request: Request) -> OneTimeToken? { request.cookies[name].flatMap { OneTimeToken($0.value) } }

    /// - Parameter token: nil leaves the response as it is.
    func set(_ token: OneTimeToken?, on response: Response) async throws -> Response {
        guard let token else { return response }
        let isSecure = try await url().hasPrefix("https://")
        var response = response
        response.setCookie(
            Cookie(name: name, value: token.hex, path: path, secure: isSecure, httpOnly: true, sameSite: sameSite))
        return response
    }
}
