// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

extension MPinID {
    /// The first 16 hexadecimal digits of the SHA-256: enough to tell identities apart in a log or list, and nothing that
    /// could be sent to a server.
    var fingerprint: String { String(Hexadecimal.text(Digest.sha256(bytes)).prefix(16)) }
}
