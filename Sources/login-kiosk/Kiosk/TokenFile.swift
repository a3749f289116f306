// SPDX-License-Identifier: Apache-2.0

import Foundation
import LoginValues

/// A file with a token for another server: one line of visible ASCII.
enum TokenFile {
    /// - Returns: nil when there is no such token that this user may read.
    static func read(_ path: String) -> SecretBytes? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let token = SecretLines(descriptor: file.fileDescriptor).next(),
            token.withBytes({ bytes in bytes.indices.allSatisfy { (0x21...0x7E).contains(bytes[$0]) } })
        else { return nil }
        return token
    }
}
