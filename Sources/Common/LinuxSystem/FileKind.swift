// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Kind of an entry of a directory (inode(7)).
public enum FileKind: String, Sendable {
    case file = "a file"
    case directory = "a directory"
    case link = "a link"
    case pipe = "a named pipe"
    case socket = "a socket"
    case device = "a device"

    init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            default: .device
            }
    }
}
