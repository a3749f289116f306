// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A descriptor of our own on what the caller has open: he may close his any time, and the number may mean another file
/// then.
final class DescriptorCopy: Sendable {
    let number: Int32

    init(of original: Int32) throws(KeypadError) {
        number = fcntl(original, F_DUPFD_CLOEXEC, 0)
        guard number >= 0 else { throw .terminal(errno: errno) }
    }

    deinit { close(number) }
}
