// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of this project, by its path from the top.
enum ProjectFile {
    static func url(_ path: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(path)").standardizedFileURL
    }

    static func text(_ path: String) throws -> String { try String(contentsOf: url(path), encoding: .utf8) }
}
