// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The existence and the owner of a file or directory.
public struct FileFacts: Sendable, Equatable {
    public var owner: UInt32

    public init(owner: UInt32) { self.owner = owner }

    /// - Returns: nil when nothing of that name exists, or this user may not know.
    public init?(_ path: String) {
        var status = stat()
        // Safe: the path is lent for the call, which writes our own structure.
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(owner: status.st_uid)
    }

    /// The owner's name, or number if there is no name.
    var ownerName: String {
        // Safe: the result is copied at once, and nothing else in this process looks up users.
        guard let entry = unsafe getpwuid(owner) else { return "\(owner)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}
