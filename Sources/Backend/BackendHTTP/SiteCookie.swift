// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Hummingbird

/// The cookie by which a web site recognises a browser.
///
/// On a site reached by https its name begins with `__Host-`: browsers then accept it from this host over https only
/// (RFC 6265bis, section 4.1.3.2), and only for all paths.
package struct SiteCookie: Sendable {
    let name: String
    /// The path prefix of the requests that carry it.
    package let path: String
    /// The site's address. It is known once the ports are bound.
    let url: @Sendable () async throws -> String
    /// Strict where no visitor comes from another site on purpose.
    var sameSite = Cookie.SameSite.lax
    /// The time that browsers keep it; nil until they quit.
    package var lifetime: Duration?

    package init(
        name: String, path: String, url: @escaping @Sendable () async throws -> String,
        sameSite: Cookie.SameSite = .lax, lifetime: Duration? = nil
    ) {
        self.name = name
        self.path = path
        self.url = url
        self.sameSite = sameSite
        self.lifetime = lifetime
    }

    private var isSecure: Bool {
        get async throws { try await url().hasPrefix("https://") }
    }

    /// The name on the wire.
    package var fullName: String {
        get async throws { try await isSecure ? "__Host-" + name : name }
    }

    package func value(of request: Request) async throws -> BrowserCookie? {
        request.cookies[try await fullName].flatMap { BrowserCookie($0.value) }
    }

    package func token(of request: Request) async throws -> OneTimeToken? { try await value(of: request)?.token }

    /// - Parameter value: nil leaves the response unchanged.
    package func set(_ value: BrowserCookie?, on response: Response) async throws -> Response {
        guard let value else { return response }
        return try await set(value.value, for: lifetime, on: response)
    }

    /// Makes the browser delete the cookie.
    package func remove(on response: Response) async throws -> Response { try await set("", for: .zero, on: response) }

    private func set(_ value: String, for lifetime: Duration?, on response: Response) async throws -> Response {
        let isSecure = try await isSecure
        var response = response
        response.setCookie(
            Cookie(
                name: try await fullName, value: value, maxAge: lifetime.map { Int($0.components.seconds) },
                path: isSecure ? "/" : path, secure: isSecure, httpOnly: true, sameSite: sameSite))
        return response
    }
}
