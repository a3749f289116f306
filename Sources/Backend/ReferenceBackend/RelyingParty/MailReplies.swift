// SPDX-License-Identifier: Apache-2.0

/// The reason why a server did not accept a mail.
struct MailFailure: Equatable, Sendable {
    let reason: String
    /// Whether further attempts are useless, because the server answered with 500 or more.
    var isFinal = false
}

/// The refusal among an SMTP server's replies (RFC 5321, section 4.2): the last one, unless the server accepted a
/// later command.
struct MailReplies: Sendable {
    private static let longestReason = 300

    private(set) var refusal: MailFailure?
    private var isContinued = false

    /// - Parameter line: one line of a reply, with or without its line break.
    mutating func add(_ line: UnsafeRawBufferPointer) {
        unsafe add(Array(line))
    }

    mutating func add(_ line: [UInt8]) {
        let digits = line.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
        let ends = line.count == 3 || line[3] != UInt8(ascii: "-")
        defer { isContinued = !ends }
        switch digits[0] {
        case UInt8(ascii: "4"), UInt8(ascii: "5"):
            let earlier = isContinued ? (refusal?.reason ?? "") : ""
            let text = Self.redacted(earlier.isEmpty ? line[...] : line.dropFirst(4))
            refusal = MailFailure(
                reason: String("\(earlier) \(text)".trimmed.prefix(Self.longestReason)),
                isFinal: digits[0] == UInt8(ascii: "5"))
        // libcurl quits after a refusal.
        default: if !digits.elementsEqual("221".utf8) { refusal = nil }
        }
    }

    /// The text of a line for a log: visible ASCII, without addresses and links, which may be those of the mail.
    private static func redacted(_ line: ArraySlice<UInt8>) -> String {
        line.split { !(0x21...0x7e).contains($0) }.map { word in
            let word = String(decoding: word, as: UTF8.self)
            if word.contains("://") { return "[link]" }
            return word.contains("@") ? "[address]" : word
        }.joined(separator: " ")
    }
}

extension String {
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}
