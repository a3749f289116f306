// SPDX-License-Identifier: Apache-2.0

/// Text in a structure's array of fixed length.
enum CText {
    /// Up to the first zero; what is not printable ASCII becomes a question mark, because it is shown to people.
    static func string<Field: BitwiseCopyable>(_ field: Field) -> String {
        // Safe: the bytes of a value of our own, which has no pointers in it.
        let bytes = unsafe withUnsafeBytes(of: field) { unsafe Array($0) }
        let text = bytes.prefix { $0 != 0 }.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes a text, cut to what the field holds with its final zero.
    static func write<Field: BitwiseCopyable>(_ text: String, into field: inout Field) {
        // Safe: the bytes of a value of our own, which has no pointers in it; at most one less than it has.
        unsafe withUnsafeMutableBytes(of: &field) { bytes in
            unsafe bytes.copyBytes(from: text.utf8.prefix(bytes.count - 1))
        }
    }
}
