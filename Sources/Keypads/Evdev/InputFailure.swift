// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call on an input device that failed, by its error number.
struct InputFailure: Error, Hashable {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    var isForbidden: Bool { code == EACCES || code == EPERM }
    var isBusy: Bool { code == EBUSY }

    /// In the C library's words.
    var reason: String {
        // Safe: strerror returns a terminated string that stays valid until the next call on this thread.
        unsafe String(cString: strerror(code))
    }
}
