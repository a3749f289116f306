// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Sealing

/// Seals values of the database: `version (1) || nonce (12) || ciphertext || tag (16)`.
///
/// The context ties sealed bytes to their row: in another row they do not open. Version 1 did not tie a record to its
/// number. A kiosk seals a few records a login, so random nonces suffice for its lifetime.
struct RecordSeal: Sendable {
    static let versions: ClosedRange<UInt8> = 1...2
    static let overhead = 1 + AuthenticatedSeal.overhead

    private let seal: AuthenticatedSeal
    let version: UInt8

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - version: of the sealed bytes; an old one only to read values that an earlier program wrote.
    init(key: SecretBytes, version: UInt8 = versions.upperBound) {
        seal = AuthenticatedSeal(key: key)
        self.version = version
    }

    /// - Returns: nil when OpenSSL failed (no memory, no random numbers).
    func seal(_ plain: SecretBytes, context: SealContext) -> [UInt8]? {
        seal.seal(plain, context: authenticated(context)).map { [version] + $0 }
    }

    /// - Returns: nil when the bytes were not sealed with this key and context.
    func open(_ sealed: [UInt8], context: SealContext) -> SecretBytes? {
        guard sealed.first == version else { return nil }
        return seal.open(sealed.dropFirst(), context: authenticated(context))
    }

    private func authenticated(_ context: SealContext) -> [UInt8] { [version, context.purpose] + context.place }
}
