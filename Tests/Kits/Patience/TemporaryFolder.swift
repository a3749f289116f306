// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is deleted with this object.
public final class TemporaryFolder: Sendable {
    public let path = FileManager.default.temporaryDirectory.path + "/login-kiosk-test-" + UUID().uuidString

    /// Chooses the path alone. The first to write there makes the folder.
    public init() {}

    /// Makes the folder, too.
    public static func made() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        return folder
    }

    /// Writes a file into a folder that is there.
    ///
    /// - Returns: the file's path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    deinit {
        // A database that is closing deletes files itself, which can make the removal fail.
        for _ in 0..<100 {
            try? FileManager.default.removeItem(atPath: path)
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(2000)
        }
    }
}
