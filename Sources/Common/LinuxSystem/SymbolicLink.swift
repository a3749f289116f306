// SPDX-License-Identifier: Apache-2.0

import Glibc

public enum SymbolicLink {
    /// The target of a link, as the link has it.
    ///
    /// - Returns: nil when it cannot be read; `errno` says why.
    public static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safe: at most the size of our own array.
        guard unsafe readlink(path, &buffer, buffer.count) > 0 else { return nil }
        return CText.string(writtenInto: buffer)
    }
}
