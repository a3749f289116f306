// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import MPinServer

/// A mail as it goes over the wire: multipart, plain text first, HTML after it (RFC 2046, section 5.1.4).
struct MailMessage: Sendable {
    private static let longestLine = 900

    let mail: ActivationMail
    let sender: String
    let boundary: String

    var bytes: [UInt8] {
        let lines = [
            "From: <\(sender)>", "To: <\(mail.recipient)>", "Subject: \(EncodedWords.text(mail.subject))",
            "Date: \(Self.date(mail.sent))",
            "Message-ID: <\(boundary)@\(sender.split(separator: "@").last ?? "localhost")>", "MIME-Version: 1.0",
            // Suppresses automatic replies (RFC 3834, section 5).
            "Auto-Submitted: auto-generated",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "",
            "--" + boundary, part(mail.text, type: "text/plain"),
            "--" + boundary, part(mail.html, type: "text/html"),
            "--" + boundary + "--", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// A part. It is readable if every server can carry it, otherwise base64: a server would break a line of more
    /// than 998 bytes, and with it the link.
    private func part(_ text: String, type: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 } && lines.allSatisfy { $0.utf8.count <= Self.longestLine }
        let content =
            isPlain
            ? lines.joined(separator: "\r\n")
            : Self.broken(Base64.text(text.utf8))
        return [
            "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: \(isPlain ? "7bit" : "base64")", "",
            content, "",
        ].joined(separator: "\r\n")
    }

    /// Lines of 76 characters (RFC 2045, section 6.8).
    private static func broken(_ text: String) -> String {
        let characters = Array(text.utf8)
        return stride(from: 0, to: characters.count, by: 76).map {
            String(decoding: characters[$0..<min($0 + 76, characters.count)], as: UTF8.self)
        }.joined(separator: "\r\n")
    }

    /// RFC 5322, section 3.3.
    private static func date(_ time: WallTime) -> String {
        let text = time.zonedText
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.prefix(10).split(separator: "-").map(String.init)
        let month = Int(parts[1]).map { months[$0 - 1] } ?? parts[1]
        return "\(parts[2]) \(month) \(parts[0]) \(text.dropFirst(11).prefix(8)) +0000"
    }
}
