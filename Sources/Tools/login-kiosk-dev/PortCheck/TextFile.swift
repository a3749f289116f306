// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The files that control and show the simulated devices.
enum TextFile {
    struct Missing: Error, CustomStringConvertible {
        let path: String

        var description: String { "\(path) cannot be opened" }
    }

    static func write(_ text: String, to path: String) throws(Missing) {
        guard let file = unsafe fopen(path, "w") else { throw Missing(path: path) }
        // Safe: the file is open until here, and the text is lent for the call.
        unsafe fputs(text, file)
        unsafe fclose(file)
    }

    /// Reads one page, the most that a device's file contains.
    static func read(_ path: String) throws(Missing) -> String {
        guard let file = unsafe fopen(path, "r") else { throw Missing(path: path) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Safe: it reads at most as much as the array contains, and the file is open until here.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
        unsafe fclose(file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
