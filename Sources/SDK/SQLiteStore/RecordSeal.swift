// SPDX-License-Identifier: Apache-2.0

import LoginValues
import Sealing

/// Seals what lies in the database: `version (1) || nonce (12) || ciphertext || tag (16)`.
///
/// The context ties sealed bytes to their place: moved elsewhere they do not open. Version 1 did not tie a record to
/// its number. A kiosk seals a few records a login, so that random nonces do for its life.
struct RecordSeal: Sendable {
    static let versions: ClosedRange<UInt8> = 1...2
    static let overhead = 1 + AuthenticatedSeal.overhead

    private let seal: AuthenticatedSeal
    let version: UInt8

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - version: what is sealed and opened; another one only to read what an earlier program wrote.
    init(key: SecretBytes, version: UInt8 = versions.upperBound) {
        seal = AuthenticatedSeal(key: key)
        self.version = version
    }

    /// - Returns: nil when OpenSSL could not do it (no memory, no random numbers).
    func seal(_ plain: SecretBytes, context: SealContext) -> [UInt8]? {
        seal.seal(plain, context: authenticated(context)).map { [version] + $0 }
    }

    /// - Returns: nil when the bytes are not what was sealed with this key and context.
    func open(_ sealed: [UInt8], context: SealContext) -> SecretBytes? {
        guard sealed.first == version else { return nil }
        return seal.open(sealed.dropFirst(), context: authenticated(context))
    }

    private func authenticated(_ context: SealContext) -> [UInt8] { [version, context.purpose] + context.place }
}
