// SPDX-License-Identifier: Apache-2.0

// What every program needs of Linux and the C library: texts of errors, signals, descriptors, the owner of a file. It
// must not know what the programs do with it, and stands on nothing else.

import Glibc

/// The text of a failed system call.
///
/// - Parameter code: an `errno`; the last one of this thread when none is given.
public func systemErrorText(_ code: Int32? = nil) -> String {
    let code = code ?? errno
    // Safe: the buffer outlives the call, which says by its result whether it wrote a text.
    var buffer = [CChar](repeating: 0, count: 256)
    return unsafe strerror_r(code, &buffer, buffer.count) == 0
        ? String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "error \(code)"
}
