// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
package import MPinServer
import Sealing

/// The password of the operator's page, in the file `operator-password` of the state directory. It is read each time,
/// so that a new password takes effect at once, even in a running backend.
package struct OperatorPassword: Sendable {
    /// The letters exclude those that look alike. 24 of these characters are 120 bits.
    private static let alphabet = Array("abcdefghjkmnpqrstvwxyz0123456789".utf8)
    private static let groups = 6
    private static let groupLength = 4

    private let path: String

    /// Creates the password at the first start.
    /// - Throws: `BackendError.file`, `.randomnessUnavailable`.
    package init(state: StateDirectory) throws(BackendError) {
        path = state.file("operator-password")
        if try StateDirectory.read(path) == nil { try StateDirectory.create(path, content: try Self.made()) }
    }

    /// - Throws: `BackendError.file`.
    package var value: SecretBytes {
        get throws(BackendError) {
            var content = try StateDirectory.content(of: path)
            defer { wipe(&content) }
            let line = Array(content.prefix { $0 > 0x20 })
            guard line.count >= Self.groups * Self.groupLength else {
                throw .file(
                    path: path, reason: "not an operator's password; login-kiosk-backend operator-password --renew")
            }
            return SecretBytes(line)
        }
    }

    /// Replaces the password and thereby logs all operators out.
    /// - Throws: `BackendError.file`, `.randomnessUnavailable`.
    package func renew() throws(BackendError) { try StateDirectory.replace(path, content: try Self.made()) }

    /// The digest of the password, which sessions store.
    /// - Throws: `BackendError.file`.
    var digest: [UInt8] {
        get throws(BackendError) { try value.withBytes { Digest.sha256(copy(of: $0)) } }
    }

    private static func made() throws(BackendError) -> [UInt8] {
        // With 32 letters, five bits of each byte choose one without bias.
        let letters = try RandomBytes.make(groups * groupLength).map { alphabet[Int($0) % alphabet.count] }
        var text: [UInt8] = []
        for (index, letter) in letters.enumerated() {
            if index > 0, index % groupLength == 0 { text.append(UInt8(ascii: "-")) }
            text.append(letter)
        }
        return text + [UInt8(ascii: "\n")]
    }
}

extension BackendState {
    /// The password of the operator's page, a secret. Created if missing.
    /// - Parameters:
    ///   - directory: the state directory of a backend, which may be running.
    ///   - isRenewed: whether the password is replaced first.
    /// - Throws: `BackendError.file`, `.randomnessUnavailable`.
    package static func operatorPassword(
        inDirectory directory: String, renewing isRenewed: Bool = false
    ) throws(BackendError) -> String {
        let password = try OperatorPassword(state: try StateDirectory(path: directory))
        if isRenewed { try password.renew() }
        return try password.value.withBytes { String(decoding: copy(of: $0), as: UTF8.self) }
    }
}
