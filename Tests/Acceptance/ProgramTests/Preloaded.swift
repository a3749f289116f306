// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A library of `Tests/preloaded` that stands between a program and the system.
enum Preloaded {
    private static let compiler = "/usr/bin/cc"

    /// Enables tests that need one.
    static let isPossible = ConditionTrait.enabled(
        if: FileManager.default.isExecutableFile(atPath: compiler), "no C compiler")

    /// Compiles a library.
    ///
    /// - Returns: the environment that loads it into a program.
    static func environment(_ name: String, in scratch: Scratch) async throws -> [String: String] {
        let library = scratch.path("\(name).so")
        try await Program(executable: URL(filePath: compiler)).run([
            "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, ProjectFile.url("Tests/preloaded/\(name).c").path(),
        ]).expect(0)
        return ["LD_PRELOAD": library]
    }
}
