// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the scanner's program is.
public enum ScannerExecutable {
    static let name = "login-kiosk-scanner"

    /// Beside the running program, where a build puts it; else in the `libexec/login-kiosk` next to the running program's
    /// `bin`, where an installation does.
    ///
    /// - Returns: nil when it is in neither place.
    public static func path() -> String? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let directory = URL(filePath: program).deletingLastPathComponent()
        let places = [
            directory.appending(path: name),
            directory.deletingLastPathComponent().appending(path: "libexec/login-kiosk/\(name)"),
        ]
        return places.map { $0.path() }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
