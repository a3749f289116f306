// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call that failed, by its error number.
struct SystemFailure: Error, Equatable {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    /// In the C library's words.
    var reason: String {
        // Safe: strerror returns a terminated string that stays valid until the next call on this thread.
        unsafe String(cString: strerror(code))
    }
}
