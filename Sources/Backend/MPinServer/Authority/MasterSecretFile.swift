// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
package import MPinCrypto

/// The file `master` of one D-TA: a magic number, then 32 bytes, plain or sealed with a passphrase.
package enum MasterSecretFile {
    private static let plainMark = Array("login-kiosk master secret, plain\n".utf8)
    private static let sealedMark = Array("login-kiosk master secret, sealed\n".utf8)

    /// Reads the master secret in `folder`, or creates it at the first start.
    /// - Throws: `BackendError.file`, `.malformedMasterSecret`, `.passphraseNeeded`, `.wrongPassphrase`,
    ///   `.randomnessUnavailable`, `.cryptographyFailed`.
    package static func load(folder: String, passphrase: SecretBytes?) throws(BackendError) -> MasterSecret {
        let path = folder + "/master"
        var content = try StateDirectory.content(
            of: path, orCreate: try newContent(passphrase: passphrase, context: context(folder)))
        defer { wipe(&content) }
        var secret: [UInt8]
        if content.starts(with: plainMark) {
            secret = Array(content.dropFirst(plainMark.count))
        } else if content.starts(with: sealedMark) {
            guard let passphrase else { throw .passphraseNeeded(path: path) }
            secret = try SealedBox.open(
                Array(content.dropFirst(sealedMark.count)), passphrase: passphrase, context: context(folder))
        } else {
            throw .malformedMasterSecret(path: path)
        }
        defer { wipe(&secret) }
        do {
            return try MasterSecret(bytes: secret)
        } catch {
            throw .malformedMasterSecret(path: path)
        }
    }

    private static func newContent(passphrase: SecretBytes?, context: String) throws(BackendError) -> [UInt8] {
        let master: MasterSecret
        do { master = try MasterSecret.random() } catch { throw .randomnessUnavailable }
        var secret = master.withBytes { span in copy(of: span) }
        defer { wipe(&secret) }
        guard let passphrase else { return plainMark + secret }
        return sealedMark + (try SealedBox.seal(secret, passphrase: passphrase, context: context))
    }

    /// The context that binds a sealed secret to its D-TA, so that nobody can swap the two files.
    private static func context(_ folder: String) -> String {
        folder.split(separator: "/").last.map(String.init) ?? ""
    }
}
