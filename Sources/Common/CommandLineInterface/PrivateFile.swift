// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem

/// A file that only its owner may read, replaced in one step.
public enum PrivateFile {
    /// - Parameter forGroup: lets the group of a directory with the set-group-ID bit read the file too.
    public static func write(_ text: String, to path: String, forGroup: Bool = false) throws {
        let mode: mode_t = forGroup && handsItsGroupDown(path) ? 0o640 : 0o600
        do throws(FileFault) { try OwnedFile.replace(path, with: Array(text.utf8), mode: mode) } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
    }

    private static func handsItsGroupDown(_ path: String) -> Bool {
        let directory = URL(filePath: path).deletingLastPathComponent().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: directory)
        // The set-group-ID bit.
        return ((attributes?[.posixPermissions] as? NSNumber)?.uint32Value ?? 0) & 0o2000 != 0
    }
}
