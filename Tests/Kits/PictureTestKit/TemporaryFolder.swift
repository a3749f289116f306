// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is deleted with its content when this value is dropped.
public struct TemporaryFolder: ~Copyable {
    public let path: String

    public init() throws {
        path = NSTemporaryDirectory() + "/login-kiosk-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// - Returns: the file's path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
