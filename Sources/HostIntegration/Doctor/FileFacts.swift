// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Who owns a file or directory, and who may open it.
public struct FileFacts: Sendable, Equatable {
    public var owner: UInt32
    /// The permission bits.
    public var mode: UInt32
    public var size: Int

    public init(owner: UInt32, mode: UInt32, size: Int = 0) {
        self.owner = owner
        self.mode = mode
        self.size = size
    }

    /// - Returns: nil when there is nothing of that name, or nothing that this user may know of.
    public init?(_ path: String) {
        var status = stat()
        // Safe: the path is a Swift string, lent for the call, and the structure is ours.
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(owner: status.st_uid, mode: status.st_mode & 0o7777, size: Int(status.st_size))
    }

    /// The owner's name, or number where there is no name.
    var ownerName: String {
        // Safe: the result is copied at once; nothing else in this process asks for users.
        guard let entry = unsafe getpwuid(owner) else { return "\(owner)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}
