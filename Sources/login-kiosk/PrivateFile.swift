// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that only its owner may read, replaced in one step.
enum PrivateFile {
    /// - Parameter forGroup: in a directory that hands its group down (set-group-ID), that group may read the file, too.
    static func write(_ text: String, to path: String, forGroup: Bool = false) throws {
        let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: Data(text.utf8),
                attributes: [.posixPermissions: forGroup && PrivateFile.handsItsGroupDown(path) ? 0o640 : 0o600])
        else { throw Complaint.make("\(path): cannot be written", status: .cannotCreate) }
        // Safe: both paths are Swift strings, lent for the call.
        guard unsafe rename(temporary, path) == 0 else {
            try? FileManager.default.removeItem(atPath: temporary)
            throw Complaint.make("\(path): cannot be replaced", status: .cannotCreate)
        }
    }

    private static func handsItsGroupDown(_ path: String) -> Bool {
        var status = stat()
        let directory = URL(filePath: path).deletingLastPathComponent().path
        // Safe: the path is a Swift string, lent for the call, and the structure is ours.
        return unsafe stat(directory, &status) == 0 && status.st_mode & S_ISGID != 0
    }
}
