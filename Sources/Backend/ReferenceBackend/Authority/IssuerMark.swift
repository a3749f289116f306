// SPDX-License-Identifier: Apache-2.0

import MPinCrypto

/// The half of the master secret that a D-TA elsewhere has, known by the digest of its share of the server secret. The
/// digest is written down at the first sight of it.
///
/// A D-TA that comes back with another half, from the wrong backup or from an empty directory, would make every right
/// PIN a wrong one and block all people.
struct IssuerMark: Sendable {
    let path: String

    /// - Throws: ``AuthorityFault``: `otherHalf`, `markUnusable`.
    func require(_ share: ServerSecretShare) throws(AuthorityFault) {
        let found = share.withBytes { Hexadecimal.text(Digest.sha256(copy(of: $0))) }
        let known: [UInt8]?
        do throws(BackendError) {
            if try StateDirectory.read(path) == nil { try StateDirectory.create(path, content: Array(found.utf8)) }
            known = try StateDirectory.read(path)
        } catch {
            throw .markUnusable("\(error)")
        }
        guard known == Array(found.utf8) else { throw .otherHalf(mark: path) }
    }
}
