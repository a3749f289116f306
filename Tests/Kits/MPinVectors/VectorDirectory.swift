// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory of vectors.
package struct VectorDirectory: Sendable {
    private let path: String

    package init(path: String) { self.path = path }

    /// The names of its JSON files, except the one with the constants, in alphabetical order. Throws when it cannot
    /// be listed.
    package func fileNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasSuffix(".json") && $0 != VectorFile.constants }.sorted()
    }

    /// Reads and checks one file. An unreadable file is a failure.
    package func check(_ name: String) -> VectorReport {
        do {
            return VectorFile(
                name: name, content: try Data(contentsOf: URL(filePath: path).appending(path: name))
            ).check()
        } catch {
            return VectorReport(
                file: name,
                outcome: .checked(passed: 0, failures: ["\(name): cannot be read: \(error.localizedDescription)"]))
        }
    }
}
