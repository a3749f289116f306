// SPDX-License-Identifier: Apache-2.0

/// Text in a structure's array of fixed length, as the kernel has it.
public enum CText {
    /// Reads up to the first zero. Bytes other than printable ASCII become question marks, because people read the
    /// text.
    public static func string<Field: BitwiseCopyable>(_ field: Field) -> String {
        // Safe: the bytes of our own value, which has no pointers in it.
        let bytes = unsafe withUnsafeBytes(of: field) { unsafe Array($0) }
        let text = bytes.prefix { $0 != 0 }.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: text, as: UTF8.self)
    }

    /// The text that a call has written into an array, up to the first zero.
    static func string(writtenInto buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Writes a text, cut to the field's length with a final zero.
    public static func write<Field: BitwiseCopyable>(_ text: String, into field: inout Field) {
        // Safe: the bytes of our own value, which has no pointers in it; at most one less than its length.
        unsafe withUnsafeMutableBytes(of: &field) { bytes in
            unsafe bytes.copyBytes(from: text.utf8.prefix(bytes.count - 1))
        }
    }
}
