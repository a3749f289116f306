// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding
import LinuxSystem
import Sealing

/// Short links of mails: `https://HOST/ENDPOINT/a/TOKEN` leads to a page of that endpoint. The page's long address
/// works too, but a mail program may break it into lines. A proxy that passes nothing but one endpoint on passes its
/// links, too.
///
/// A copy of the storage opens no link, because only the mail contains the token.
package struct MailLinks: Sendable {
    package static let path = "a"
    /// Bytes of the token, the only secret of a link.
    private static let tokenLength = 16

    let storage: any DurableStorage
    let site: SiteDescription
    let clock: any WallClock
    /// The number of short links. Further mails contain the long one.
    let capacity: Int

    package init(storage: any DurableStorage, site: SiteDescription, clock: any WallClock, capacity: Int = 20_000) {
        self.storage = storage
        self.site = site
        self.clock = clock
        self.capacity = capacity
    }

    /// 22 characters of base64url.
    /// - Throws: `BackendError.randomnessUnavailable`.
    static func newToken() throws(BackendError) -> String { Base64.urlText(try RandomBytes.make(tokenLength)) }

    /// Whether ``newToken()`` may have made `text`.
    package static func isToken(_ text: String) -> Bool { Base64.bytes(urlText: text)?.count == tokenLength }

    /// - Parameters:
    ///   - long: the address of a page of `mount`.
    ///   - token: the link's token; nil for a new one.
    /// - Returns: `long` when there are ``capacity`` short links.
    package func short(
        _ long: String, at mount: some SiteMount, token: String? = nil, until expires: WallTime
    ) async throws -> String {
        let origin = try await site.publicURL.value
        let endpoint = origin + mount.base
        guard long.hasPrefix(endpoint + "/") else { return long }
        let token = try token ?? Self.newToken()
        let sealed = try SealedBox.seal(
            Array(long.utf8.dropFirst(origin.utf8.count)), key: Self.key(of: token), context: Self.context)
        let link = MailedLink(digest: Self.digest(of: token), sealedTarget: sealed, expires: expires)
        let isKept = try await storage.add(link, upTo: capacity, now: clock.now)
        return isKept ? "\(endpoint)/\(Self.path)/\(token)" : long
    }

    /// The path of the page behind a link; nil if the link is unknown or has expired.
    package func target(of token: String) async throws -> String? {
        guard let link = try await storage.mailedLink(Self.digest(of: token), now: clock.now),
            let target = try? SealedBox.open(link.sealedTarget, key: Self.key(of: token), context: Self.context)
        else { return nil }
        return String(decoding: target, as: UTF8.self)
    }

    private static let context = "login-kiosk mailed link"

    private static func key(of token: String) -> SecretBytes {
        SecretBytes(Digest.hmacSHA256("\(context) key", key: SecretBytes(Array(token.utf8))))
    }

    private static func digest(of token: String) -> [UInt8] {
        Digest.hmacSHA256("\(context) name", key: SecretBytes(Array(token.utf8)))
    }
}
