// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// A box for a secret value: shared by reference, never copied, overwritten when the last reference goes.
///
/// Printing, dumping and mirroring show no content. Two boxes are compared in constant time.
final class Wiped<Value: BitwiseCopyable & Sendable>: Sendable {
    // Written in `init` and `deinit` only, where there is no other reference.
    private nonisolated(unsafe) var storage: Value

    init(_ value: Value) { unsafe storage = value }

    var value: Value { unsafe storage }

    deinit { unsafe cleanse(&storage) }
}

extension Wiped: Equatable where Value: ConstantTimeEquatable {
    static func == (a: Wiped, b: Wiped) -> Bool { a.value == b.value }
}

extension Wiped: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "(secret)" }
    var debugDescription: String { "(secret)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites a value; the compiler does not remove the call.
func cleanse<Value: BitwiseCopyable>(_ value: inout Value) {
    // SAFETY: the buffer is exactly the value's memory, and any bytes are a valid `BitwiseCopyable` value of words.
    unsafe withUnsafeMutableBytes(of: &value) { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
}
