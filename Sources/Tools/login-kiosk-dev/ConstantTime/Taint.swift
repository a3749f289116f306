// SPDX-License-Identifier: Apache-2.0

import CValgrind

/// Tells Valgrind's memcheck about memory, and asks it. "Undefined" stands for "secret". Memcheck follows such bytes
/// through all arithmetic, and reports each branch and each address that depends on one.
enum Taint {
    static var isWatching: Bool { cvalgrind_is_running() != 0 }

    /// The reports so far.
    static var reports: Int { Int(cvalgrind_error_count()) }

    /// The same bytes, secret from now on.
    static func secret(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        // SAFETY: the request changes what Valgrind knows of the array's memory, not the memory.
        unsafe bytes.withUnsafeMutableBytes { unsafe cvalgrind_make_undefined($0.baseAddress, $0.count) }
        return bytes
    }

    /// Makes bytes public that are sent, stored in the open or printed.
    static func publish(_ bytes: [UInt8]) {
        // SAFETY: as above.
        unsafe bytes.withUnsafeBytes { unsafe cvalgrind_make_defined($0.baseAddress, $0.count) }
    }
}
