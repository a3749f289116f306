// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A restriction that the kernel did not accept. The process does not run without it.
struct ConfinementError: Error, CustomStringConvertible {
    let restriction: String
    let code: Int32

    init(_ restriction: String, _ code: Int32) {
        self.restriction = restriction
        self.code = code
    }

    var description: String {
        // Safe: strerror returns a terminated string that stays valid until the next call on this thread.
        let reason = unsafe String(cString: strerror(code))
        return "cannot confine itself (\(restriction): \(reason)); a Linux kernel with CONFIG_SECCOMP_FILTER is needed"
    }
}
