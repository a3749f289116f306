// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit

/// A small file system that can be filled completely.
final class FullDisk {
    static let canMount = {
        guard let disk = try? FullDisk(in: try Scratch()) else { return false }
        return withExtendedLifetime(disk) { true }
    }()

    let path: String
    /// The folder, which is deleted after the file system was unmounted.
    private let scratch: Scratch

    init(in scratch: Scratch) throws {
        self.scratch = scratch
        path = scratch.path("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard try ChildProcess("/bin/mount", ["-t", "tmpfs", "-o", "size=256k,mode=755", "tmpfs", path]).wait() == 0
        else { throw CocoaError(.fileWriteUnknown) }
    }

    func fill() throws {
        try Data().write(to: URL(filePath: "\(path)/filler"))
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(path)/filler"))
        while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
        try handle.close()
    }

    deinit { _ = try? ChildProcess("/bin/umount", ["-l", path]).wait() }
}
