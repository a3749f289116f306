// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that only its owner may read, replaced in one step.
enum PrivateFile {
    static func write(_ text: String, to path: String) throws {
        let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw Complaint.make("\(path): cannot be written", status: .cannotCreate) }
        // Safe: both paths are Swift strings, lent for the call.
        guard unsafe rename(temporary, path) == 0 else {
            try? FileManager.default.removeItem(atPath: temporary)
            throw Complaint.make("\(path): cannot be replaced", status: .cannotCreate)
        }
    }
}
