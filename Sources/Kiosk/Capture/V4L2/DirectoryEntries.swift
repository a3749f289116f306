// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The names in a folder of the system; a folder that is not there has none.
enum DirectoryEntries {
    static func names(in folder: String, atMost limit: Int) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        // Safe: ours until here.
        defer { unsafe closedir(directory) }
        var names: [String] = []
        // Safe: an entry is valid until the next readdir on the same directory; its name is copied before.
        while names.count < limit, let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
