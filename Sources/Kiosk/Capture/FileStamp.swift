// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Detects whether a file has changed, by its device, inode, size and time of the last change.
struct FileStamp: Equatable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    /// The time of the last change, in nanoseconds since 1970.
    private let changed: Int64

    /// Nil for a file that is not there.
    init?(of path: String) {
        var status = stat()
        // Safe: the structure is ours and written during the call.
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        changed = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }
}
