// SPDX-License-Identifier: Apache-2.0

/// A path that the process may still use, and in which way.
public struct FileRule: Sendable, Equatable {
    public enum Access: Sendable {
        /// Reads a file, or the files below a folder.
        case read
        /// Reads the names in a folder and below.
        case list
        case readAndList
        /// Reads and writes a device file, and controls it.
        case device
    }

    public let path: String
    public let access: Access

    public init(_ access: Access, _ path: String) {
        self.access = access
        self.path = path
    }
}
