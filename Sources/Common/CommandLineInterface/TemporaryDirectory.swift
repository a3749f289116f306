// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// A directory that only this user may enter, for the duration of a command.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        var template = Array("\(FileManager.default.temporaryDirectory.path())/login-kiosk-XXXXXX".utf8CString)
        // Safe: the template is our own and ends with a zero; the call replaces its X's in place.
        guard unsafe mkdtemp(&template) != nil else {
            throw Complaint.make(
                "no temporary directory can be made", hint: "name a place to write to: TMPDIR=DIR",
                status: .cannotCreate)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Two seconds in all: longer than a database takes to close.
    private static let (mostRemovals, microsecondsBetween) = (100, UInt32(20_000))

    /// Removes the directory. Called before a command returns, because the process may end before `deinit` runs.
    public func remove() {
        // A database that is being closed removes its own files, and removing a file that has gone fails.
        for _ in 0..<Self.mostRemovals {
            try? FileManager.default.removeItem(atPath: path)
            guard FileManager.default.fileExists(atPath: path) else { return }
            usleep(Self.microsecondsBetween)
        }
    }

    /// Makes a named pipe that only this user may open.
    ///
    /// - Returns: its path.
    public func makePipe(_ name: String) throws -> String {
        let pipe = path(name)
        // Safe: the path is a Swift string, lent for the call.
        guard unsafe mkfifo(pipe, 0o600) == 0 else {
            throw Complaint.make("\(pipe): no named pipe can be made here", status: .cannotCreate)
        }
        return pipe
    }

    public func path(_ name: String) -> String { "\(path)/\(name)" }
}
