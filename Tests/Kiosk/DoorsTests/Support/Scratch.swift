// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

/// A test's folder, deleted with this object.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "doors-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a program for `/bin/sh`.
    func script(_ text: String) throws -> String {
        let path = file("script")
        try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    func content(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    /// The program, in the same folder as the tests.
    static var kiosk: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: tests).deletingLastPathComponent().appending(path: "login-kiosk").path()
        }
    }

    static let silent = Logger(label: "doors") { _ in SwiftLogNoOpLogHandler() }
}
