// SPDX-License-Identifier: Apache-2.0

/// The code that ties a scanned QR code to one browser session (`wid` on the wire).
///
/// A fresh code lets its holder act on that session, so it is treated as a secret: redacted when printed and wiped
/// when dropped. Servers issue 32 hexadecimal or 7 decimal digits; any 1...256 characters of `[0-9A-Za-z_-]` are
/// accepted.
public struct AccessCode: Sendable, Equatable {
    /// The number of characters that a code may have.
    public static let lengths = 1...256

    private let text: SecretBytes

    /// - Returns: nil when `characters` is not 1...256 ASCII letters, digits, `_` or `-`.
    public init?(_ characters: Span<UInt8>) {
        guard AccessCode.lengths.contains(characters.count) else { return nil }
        for index in characters.indices {
            guard AccessCode.allows(characters[index]) else { return nil }
        }
        text = SecretBytes(copying: characters)
    }

    /// Reads a code that already is text, for example one from a server's reply.
    public init?(_ characters: some StringProtocol) {
        let bytes = Array(characters.utf8)
        self.init(bytes.span)
    }

    /// Lends the code as ASCII.
    public func withCharacters<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try text.withBytes(body)
    }

    private static func allows(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension AccessCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted access code>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
