// SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// A file that only its owner may read, replaced in one step.
enum PrivateFile {
    static func write(_ text: String, to path: String) throws {
        do throws(FileFault) { try OwnedFile.replace(path, with: Array(text.utf8), mode: 0o600) } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
    }
}
