// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The names in a directory, in no order and without `.` and `..`.
public enum DirectoryEntries {
    /// - Parameters:
    ///   - limit: the greatest number of names; further ones are left out.
    ///   - isMeant: whether a name is one of them. It may be that of a symbolic link.
    public static func names(
        in directory: String, atMost limit: Int = 4096,
        where isMeant: (_ name: String, _ isLink: Bool) -> Bool = { _, _ in true }
    ) throws(SystemFailure) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw SystemFailure(errno) }
        // Safe: this function owns the stream until here.
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // Safe: an entry is valid until the next readdir on the same stream; its name is copied before.
        while names.count < limit, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let isLink = unsafe entry.pointee.d_type == UInt8(DT_LNK)
            if name != ".", name != "..", isMeant(name, isLink) { names.append(name) }
        }
        return names
    }
}
