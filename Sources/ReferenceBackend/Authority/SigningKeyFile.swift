// SPDX-License-Identifier: Apache-2.0

import WebTokens

extension SigningKey {
    /// Reads `signing-key` in the state directory, or makes it at the first start.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    init(state: StateDirectory) throws(BackendError) {
        let path = state.file("signing-key")
        if try StateDirectory.read(path) == nil {
            var made = try Self.make()
            defer { wipe(&made) }
            try StateDirectory.create(path, content: made)
        }
        guard var content = try StateDirectory.read(path) else { throw .file(path: path, reason: "vanished") }
        defer { wipe(&content) }
        guard let key = SigningKey(content) else {
            throw .file(path: path, reason: "not an RSA key of 2048 bits or more, which tokens are signed with")
        }
        self = key
    }
}
