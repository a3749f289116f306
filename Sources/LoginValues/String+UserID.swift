// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// Whether two user ids are one person's. The case of ASCII letters says nothing, as in mail addresses; every other
    /// byte does: to a backend and to a mail server, what only Unicode calls the same (the Kelvin sign and K, a letter
    /// composed and decomposed) is another user.
    public func isSameUserID(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { Self.lowercased($0) == Self.lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
