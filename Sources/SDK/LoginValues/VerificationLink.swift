// SPDX-License-Identifier: Apache-2.0

import Encoding

/// The link in the mail of a verification: `https://…?user_id=…&code=…`.
///
/// Other query items are ignored. The code never becomes a `String`.
public struct VerificationLink: Sendable, Equatable {
    /// The longest text that can be such a link, in bytes.
    public static let maximumLength = 2048
    /// The length that an identity may have, in bytes of UTF-8.
    public static let userIDLengths = 1...256

    /// The address of the link, without its query. Nobody needs to visit it: the SDK hands in the code.
    public let address: WebAddress
    /// The identity to verify, of a length within ``userIDLengths``.
    public let userID: String
    /// UTF-8, 1 to 1024 bytes.
    public let code: SecretBytes

    /// Reads the bytes of one QR code. Blanks, line ends and a byte order mark around the text are ignored.
    ///
    /// - Returns: nil if it is no such link.
    public init?(symbol: Span<UInt8>) {
        let bytes = symbol.extracting(symbol.textRange)
        guard bytes.count <= VerificationLink.maximumLength,
            let mark = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: "?") }),
            let address = try? WebAddress(bytes: bytes.extracting(..<mark))
        else { return nil }
        var userID: String?
        var code: SecretBytes?
        var start = mark + 1
        while start <= bytes.count {
            let end = (start..<bytes.count).first { bytes[$0] == UInt8(ascii: "&") } ?? bytes.count
            let item = start..<end
            start = end + 1
            // An item that appears twice would be ambiguous.
            if let value = VerificationLink.value(of: "user_id", in: bytes, item) {
                guard userID == nil, let name = VerificationLink.text(bytes.extracting(value)) else { return nil }
                userID = name
            } else if let value = VerificationLink.value(of: "code", in: bytes, item) {
                guard code == nil, let decoded = VerificationLink.decoded(bytes.extracting(value)),
                    (1...1024).contains(decoded.count)
                else { return nil }
                code = decoded
            }
        }
        guard let userID, let code else { return nil }
        self.address = address
        self.userID = userID
        self.code = code
    }

    /// The range of an item's value.
    ///
    /// - Returns: nil if the item has another name.
    private static func value(of name: StaticString, in bytes: Span<UInt8>, _ item: Range<Int>) -> Range<Int>? {
        let prefix = Array("\(name)=".utf8)
        guard item.count >= prefix.count, prefix.indices.allSatisfy({ bytes[item.lowerBound + $0] == prefix[$0] })
        else {
            return nil
        }
        return (item.lowerBound + prefix.count)..<item.upperBound
    }

    private static func text(_ value: Span<UInt8>) -> String? {
        guard let decoded = decoded(value), userIDLengths.contains(decoded.count) else { return nil }
        let bytes = decoded.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? nil : text
    }

    /// Resolves percent escapes. A plus sign stands for itself: identities have them, and no blanks.
    private static func decoded(_ value: Span<UInt8>) -> SecretBytes? {
        var (count, index) = (0, 0)
        while index < value.count {
            guard let (byte, isEscaped) = PercentEncoding.byte(in: value, at: &index),
                isEscaped || (0x21...0x7E).contains(byte)
            else { return nil }
            count += 1
        }
        return SecretBytes(count: count) { bytes in
            var index = 0
            for position in bytes.indices {
                bytes[position] = PercentEncoding.byte(in: value, at: &index)?.value ?? 0
            }
        }
    }
}
