// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is deleted when this object is freed.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "login-kiosk-bench-\(UUID().uuidString)").path
        _ = try subfolder("")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a new subfolder that only this user can read.
    func subfolder(_ name: String) throws -> String {
        let folder = name.isEmpty ? path : "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }
}
