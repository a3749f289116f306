// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Owner, mode and size of an open file or directory.
struct FileStatus {
    private let status: stat
    private let path: String

    init(of descriptor: Int32, at path: String) throws(StoreOpeningError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw StoreOpeningError(.unavailable, "\(path) cannot be examined: \(systemErrorText())")
        }
        self.status = status
        self.path = path
    }

    var size: Int { Int(status.st_size) }
    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }

    /// - Parameter hint: the command that mends the mode.
    func requirePrivate(hint: String) throws(StoreOpeningError) {
        guard status.st_uid == geteuid() else {
            throw StoreOpeningError(
                .notPrivate,
                "\(path) belongs to user \(status.st_uid), this process is user \(geteuid()): run it as that user, or "
                    + "chown \(path)")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StoreOpeningError(
                .notPrivate,
                "\(path) is open to other users (mode \(String(status.st_mode & 0o777, radix: 8))): \(hint)")
        }
    }
}
