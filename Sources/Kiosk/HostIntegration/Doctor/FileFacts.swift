// SPDX-License-Identifier: Apache-2.0

import Glibc

/// That there is a file or directory, and which user owns it.
public struct FileFacts: Sendable, Equatable {
    public var owner: UInt32

    public init(owner: UInt32) { self.owner = owner }

    /// - Returns: nil when there is nothing of that name, or nothing that this user may know of.
    public init?(_ path: String) {
        var status = stat()
        // Safe: the path is a Swift string, lent for the call, and the structure is ours.
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(owner: status.st_uid)
    }

    /// The owner's name, or number where there is no name.
    var ownerName: String {
        // Safe: the result is copied at once; nothing else in this process asks for users.
        guard let entry = unsafe getpwuid(owner) else { return "\(owner)" }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}
