// SPDX-License-Identifier: Apache-2.0

import CValgrind

/// Marks memory for Valgrind's memcheck and reads its reports. "Undefined" stands for "secret". Memcheck follows such
/// bytes through all arithmetic, and reports each branch and address that depends on one.
enum Taint {
    static var isWatching: Bool { cvalgrind_is_running() != 0 }

    /// Number of reports so far.
    static var reports: Int { Int(cvalgrind_error_count()) }

    /// A copy of the bytes, marked as secret.
    static func secret(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        // SAFETY: the request changes only what Valgrind knows of the array's memory.
        unsafe bytes.withUnsafeMutableBytes { unsafe cvalgrind_make_undefined($0.baseAddress, $0.count) }
        return bytes
    }

    /// Marks bytes as public, because they are sent, stored in the clear or printed.
    static func publish(_ bytes: [UInt8]) {
        // SAFETY: the request changes only what Valgrind knows of the array's memory.
        unsafe bytes.withUnsafeBytes { unsafe cvalgrind_make_defined($0.baseAddress, $0.count) }
    }
}
