// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files by which the simulated devices are told and asked.
enum TextFile {
    struct Missing: Error, CustomStringConvertible {
        let path: String

        var description: String { "\(path) cannot be opened" }
    }

    static func write(_ text: String, to path: String) throws(Missing) {
        guard let file = unsafe fopen(path, "w") else { throw Missing(path: path) }
        // Safe: the file is open until here, and the text lent for the call.
        unsafe fputs(text, file)
        unsafe fclose(file)
    }

    /// At most a page, as much as a file of a device holds.
    static func read(_ path: String) throws(Missing) -> String {
        guard let file = unsafe fopen(path, "r") else { throw Missing(path: path) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Safe: it reads at most as much as the array holds, and the file is open until here.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress, 1, $0.count, file) }
        unsafe fclose(file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
