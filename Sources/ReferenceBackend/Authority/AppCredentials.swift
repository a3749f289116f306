// SPDX-License-Identifier: Apache-2.0

/// What RPS and D-TAs share: a public name and the key that signs requests to the D-TAs and activation links.
struct AppCredentials: Sendable {
    let appID: String
    private let appKey: SecretBytes

    /// Reads `credentials` in the state directory, or makes them at the first start.
    /// - Throws: `BackendError.file`, `.randomnessUnavailable`, `.malformedMasterSecret`.
    init(state: StateDirectory) throws(BackendError) {
        let path = state.file("credentials")
        if try StateDirectory.read(path) == nil {
            let made = JSONObject([
                "app_id": .string(Hexadecimal.text(try RandomBytes.make(16))),
                "app_key": .string(Hexadecimal.text(try RandomBytes.make(32))),
            ])
            try StateDirectory.create(path, content: made.body)
        }
        guard let content = try StateDirectory.read(path), let object = JSONObject(body: content),
            let appID = object.string("app_id"), let appKey = object.string("app_key"), !appKey.isEmpty
        else { throw .file(path: path, reason: "not the credentials of this program") }
        self.appID = appID
        self.appKey = SecretBytes(Array(appKey.utf8))
    }

    /// HMAC-SHA-256 as hexadecimal text.
    func signature(of text: String) -> String { Hexadecimal.text(Digest.hmacSHA256(text, key: appKey)) }

    /// 32 bytes made of the key that signs, for another purpose.
    func key(for name: String) -> SecretBytes {
        SecretBytes(Digest.hmacSHA256("login-kiosk key for \(name)", key: appKey))
    }

    func isSignature(_ signature: String, of text: String) -> Bool {
        guard let claimed = Hexadecimal.bytes(signature) else { return false }
        return Digest.equal(claimed, Digest.hmacSHA256(text, key: appKey))
    }
}
