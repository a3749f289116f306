// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
import Sealing

/// A public name and its key. The RPS signs activation links with it, and its requests to D-TAs in the same process.
/// A D-TA elsewhere has credentials of its own, so that those of one D-TA do not open the other.
package struct AppCredentials: Sendable {
    package let appID: String
    private let appKey: SecretBytes

    /// Reads the file at `path`, or makes it at the first start.
    /// - Throws: `BackendError.file`, `.exposedFile`, `.randomnessUnavailable`.
    package init(path: String) throws(BackendError) {
        let content = try StateDirectory.content(
            of: path,
            orCreate: JSONObject([
                "app_id": .string(Hexadecimal.text(try RandomBytes.make(16))),
                "app_key": .string(Hexadecimal.text(try RandomBytes.make(32))),
            ]).body)
        try self.init(content, of: path)
    }

    /// Reads the file at `path`.
    /// - Throws: `BackendError.file`, `.exposedFile`.
    package init(existing path: String) throws(BackendError) {
        try self.init(try StateDirectory.read(path), of: path)
    }

    private init(_ content: [UInt8]?, of path: String) throws(BackendError) {
        guard let object = content.flatMap({ JSONObject(body: $0) }),
            let appID = object.string("app_id"), let appKey = object.string("app_key"), !appKey.isEmpty
        else { throw .file(path: path, reason: "not the credentials of this program") }
        self.appID = appID
        self.appKey = SecretBytes(Array(appKey.utf8))
    }

    /// Whether both have the same key.
    package func hasSameKey(as other: AppCredentials) -> Bool {
        other.isSignature(signature(of: ""), of: "")
    }

    /// HMAC-SHA-256 as hexadecimal text.
    func signature(of text: String) -> String { Hexadecimal.text(Digest.hmacSHA256(text, key: appKey)) }

    /// 32 bytes derived from the key, for another purpose.
    package func key(for name: String) -> SecretBytes {
        SecretBytes(Digest.hmacSHA256("login-kiosk key for \(name)", key: appKey))
    }

    func isSignature(_ signature: String, of text: String) -> Bool {
        guard let claimed = Hexadecimal.bytes(signature) else { return false }
        return Digest.equal(claimed, Digest.hmacSHA256(text, key: appKey))
    }
}
