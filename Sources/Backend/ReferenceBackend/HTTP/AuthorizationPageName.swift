// SPDX-License-Identifier: Apache-2.0

package import BackendHTTP
import BackendValues
import Encoding
import HTTPTypes
import Hummingbird
package import MPinServer
import OpenIDProvider

/// A random name that distinguishes one page of the provider from a browser's other pages. It is not proof: the page's
/// cookie is.
package struct AuthorizationPageName: Sendable {
    private static let length = 16
    /// Pages that one browser may have open. More cookies would exceed the limits of proxies.
    static let openPages = 16

    private let text: String

    /// - Throws: `BackendError.randomnessUnavailable`.
    init() throws(BackendError) { text = String(try OneTimeToken.random().hex.prefix(Self.length)) }

    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
            return nil
        }
        self.text = String(text)
    }

    /// The path prefix of the page's requests.
    func root(of mount: any SiteMount) -> String { mount.root + "authorize/" + text + "/" }

    package func cookie(of mount: any SiteMount) -> SiteCookie {
        var cookie = mount.cookie("authorize/" + text)
        cookie.lifetime = AuthorizationRequest.lifetime
        return cookie
    }

    /// The browser's oldest pages, if it has too many. Browsers send older cookies first (RFC 6265, section 5.4).
    static func surplus(in request: Request, of mount: any SiteMount) async throws -> [AuthorizationPageName] {
        let prefix = try await mount.cookie("authorize/").fullName
        let names = request.headers[values: .cookie].joined(separator: ";").split(separator: ";")
            .compactMap { pair -> AuthorizationPageName? in
                let name = pair.split(separator: "=", maxSplits: 1)[0].drop { $0 == " " }
                return name.hasPrefix(prefix) ? AuthorizationPageName(name.dropFirst(prefix.count)) : nil
            }
        return Array(names.dropLast(openPages - 1))
    }
}
