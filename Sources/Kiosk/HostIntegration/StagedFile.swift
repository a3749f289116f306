// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
public import LinuxSystem

/// A file of a backup that is staged beside the file that it replaces, complete and on the disk.
public struct StagedFile: Sendable, Equatable {
    let path: String
    let target: String

    public init(_ path: String, for target: String) {
        self.path = path
        self.target = target
    }

    /// Activates the file, in one step that needs no room on the disk.
    public func moveIntoPlace() throws(FileFault) { try OwnedFile.move(path, to: target) }

    /// The folder beside the settings for staged files.
    public static func folder(_ configuration: String) -> String { SettingsFile.restore.path(in: configuration) }

    /// Makes that folder again. Readers of the settings may enter it: each file has a mode of its own.
    public static func makeFolder(_ configuration: String) throws {
        try? FileManager.default.removeItem(atPath: folder(configuration))
        let staging = folder(configuration)
        for path in [staging] + [staging, configuration].map(SettingsFile.dropIns.path(in:))
        where unsafe access(path, F_OK) != 0 {
            try OwnedFile.makeDirectory(path)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }
}
