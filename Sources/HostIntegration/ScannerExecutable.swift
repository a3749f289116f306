// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LinuxSystem

/// Where the scanner's program is.
public enum ScannerExecutable {
    static let name = "login-kiosk-scanner"

    /// Beside the running program, where a build puts it; else in the `libexec/login-kiosk` next to the running program's
    /// `bin`, where an installation does.
    ///
    /// - Returns: nil when it is in neither place.
    /// - Throws: when others could have changed it. Who owns the running program could have changed that one, so that the
    ///   same owner's scanner is trusted.
    public static func path() throws(FileFault) -> String? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return nil
        }
        let directory = URL(filePath: program).deletingLastPathComponent()
        let places = [
            directory.appending(path: name),
            directory.deletingLastPathComponent().appending(path: "libexec/login-kiosk/\(name)"),
        ]
        let found = places.map { $0.path() }.first { FileManager.default.isExecutableFile(atPath: $0) }
        if let found { try OwnedFile.judge(found, alsoTrusted: FileFacts(program)?.owner) }
        return found
    }
}
