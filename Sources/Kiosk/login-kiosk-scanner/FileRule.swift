// SPDX-License-Identifier: Apache-2.0

/// A path that the process may still use, and in which way.
struct FileRule: Equatable {
    enum Access {
        /// Reads a file, or the files below a folder.
        case read
        /// Reads the names in a folder and below.
        case list
        case readAndList
        /// Reads and writes a device file, and controls it.
        case device
    }

    let path: String
    let access: Access

    init(_ access: Access, _ path: String) {
        self.access = access
        self.path = path
    }
}
