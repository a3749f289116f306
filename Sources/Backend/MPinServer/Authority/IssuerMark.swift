// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
package import MPinCrypto
import Sealing

/// The half of the master secret that a D-TA elsewhere has, recognised by the digest of its share of the server
/// secret. A file stores the digest the first time.
///
/// A D-TA that is restored from the wrong backup, or started in an empty directory, has another half. Then every right
/// PIN would be refused as wrong, and its owner would be blocked.
package struct IssuerMark: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// - Throws: `otherHalf` and `markUnusable` of ``AuthorityFault``.
    package func require(_ share: ServerSecretShare) throws(AuthorityFault) {
        let found = Array(share.withBytes { Hexadecimal.text(Digest.sha256(copy(of: $0))) }.utf8)
        let known: [UInt8]
        do throws(BackendError) { known = try StateDirectory.content(of: path, orCreate: found) } catch {
            throw .markUnusable("\(error)")
        }
        guard known == found else { throw .otherHalf(mark: path) }
    }
}
