// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Programs of other packages.
enum InstalledProgram {
    /// The path of a program in the folders of `PATH`; nil when it is not installed.
    static func path(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin"].split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }
}
