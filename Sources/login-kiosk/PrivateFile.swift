// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// A file that only its owner may read, replaced in one step.
enum PrivateFile {
    /// - Parameter forGroup: in a directory that hands its group down (set-group-ID), that group may read the file, too.
    static func write(_ text: String, to path: String, forGroup: Bool = false) throws {
        let mode: mode_t = forGroup && handsItsGroupDown(path) ? 0o640 : 0o600
        do throws(FileFault) { try OwnedFile.replace(path, with: Array(text.utf8), mode: mode) } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
    }

    private static func handsItsGroupDown(_ path: String) -> Bool {
        var status = stat()
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        // Safe: the path is a Swift string, lent for the call, and the structure is ours.
        return unsafe stat(directory, &status) == 0 && status.st_mode & S_ISGID != 0
    }
}
