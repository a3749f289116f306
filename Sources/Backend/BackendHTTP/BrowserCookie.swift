// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding

/// The cookie by which a web site recognises a browser.
package enum BrowserCookie: TableKey {
    /// A browser that has a session here.
    case session(OneTimeToken)
    /// The state of a browser before a login, sealed and kept by the browser.
    case visit(String)

    /// Nil for a value that this backend does not issue.
    package init?(_ value: some StringProtocol) {
        if let token = OneTimeToken(value) {
            self = .session(token)
        } else if (1...VisitSeal.longest).contains(value.utf8.count) {
            self = .visit(String(value))
        } else {
            return nil
        }
    }

    package var value: String {
        switch self {
        case .session(let token): token.hex
        case .visit(let text): text
        }
    }

    package var bytes: [UInt8] { Array(value.utf8) }

    package var token: OneTimeToken? { if case .session(let token) = self { token } else { nil } }
}

/// Seals data that a browser keeps, with the storage's key. So strangers who open pages fill no table.
package struct VisitSeal: Sendable {
    static let longest = 2048

    private let key: SecretBytes

    /// - Throws: `BackendError.randomnessUnavailable`.
    init() throws(BackendError) { self.init(key: SecretBytes(try RandomBytes.make(32))) }

    package init(key: SecretBytes) { self.key = key }

    /// - Throws: `BackendError`.
    package func cookie(of content: JSONObject) throws(BackendError) -> BrowserCookie {
        .visit(Base64.urlText(try SealedBox.seal(content.body, key: key, context: Self.context)))
    }

    /// Nil for a cookie of another site or of an earlier process.
    package func content(of cookie: BrowserCookie?) -> JSONObject? {
        guard case .visit(let text)? = cookie, let box = Base64.bytes(urlText: text),
            let content = try? SealedBox.open(box, key: key, context: Self.context)
        else { return nil }
        return JSONObject(body: content)
    }

    private static let context = "visit"
}
