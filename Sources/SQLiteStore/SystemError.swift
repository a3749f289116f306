// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The text of the last failed system call.
func systemErrorText() -> String {
    // Safe: the buffer outlives the call, which says where in it or elsewhere the text stands.
    let code = errno
    var buffer = [CChar](repeating: 0, count: 256)
    return unsafe strerror_r(code, &buffer, buffer.count) == 0
        ? String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : "error \(code)"
}
