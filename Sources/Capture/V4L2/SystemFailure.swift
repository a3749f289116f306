// SPDX-License-Identifier: Apache-2.0

/// A system call that failed, by its error number.
struct SystemFailure: Error, Equatable {
    let code: Int32

    init(_ code: Int32) {
        self.code = code
    }

    /// In the C library's words.
    var reason: String { Descriptor.reason(code) }
}
