// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import LoginValues

/// A file with a token for another server: one line of visible ASCII.
enum TokenFile {
    /// - Returns: nil when there is no token in its first line.
    /// - Throws: when it cannot be read, or other users could read it.
    static func read(_ path: String) throws(FileFault) -> SecretBytes? {
        let file = try OwnedFile.open(path, .secret)
        guard let token = SecretLines(descriptor: file.descriptor).next(),
            token.withBytes({ bytes in bytes.indices.allSatisfy { (0x21...0x7E).contains(bytes[$0]) } })
        else { return nil }
        return token
    }
}
