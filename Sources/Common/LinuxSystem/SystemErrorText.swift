// SPDX-License-Identifier: Apache-2.0

// Parts of Linux and the C library that every program needs: texts of errors, signals, descriptors, owners of files.
// This module does not know their use, and depends on no other.

import Glibc

/// The text of a failed system call.
///
/// - Parameter code: an `errno`; nil takes the last one of this thread.
public func systemErrorText(_ code: Int32? = nil) -> String {
    let code = code ?? errno
    // Safe: the buffer outlives the call, whose result is whether it wrote a text.
    var buffer = [CChar](repeating: 0, count: 256)
    return unsafe strerror_r(code, &buffer, buffer.count) == 0
        ? CText.string(writtenInto: buffer) : "error \(code)"
}

/// The error number of a failed system call.
public struct SystemFailure: Error, Hashable, Sendable {
    /// As errno(3).
    public let code: Int32

    public init(_ code: Int32) { self.code = code }

    /// In the C library's words.
    public var reason: String { systemErrorText(code) }
}
