// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Foundation
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

@Suite struct MailTests {
    private static func mail(_ recipient: String, link: String = "https://login.example.com/x?i=1&s=2")
        -> ActivationMail
    {
        ActivationMail(
            recipient: recipient, siteName: "A & B", content: .confirmation(.init(.registration, link: link)),
            sent: WallTime(seconds: 1_795_262_400))
    }

    private static func notice(_ recipient: String) -> ActivationMail {
        ActivationMail(
            recipient: recipient, siteName: "A & B",
            content: .notice(MailNotice(kind: .login, subject: "A", sentences: ["B"])),
            sent: WallTime(seconds: 0))
    }

    @Test func theMailIsMultipart() throws {
        let text = String(
            decoding: MailMessage(mail: Self.mail("a@example.com"), sender: "k@example.com", boundary: "b0").bytes,
            as: UTF8.self)
        #expect(text.contains("Content-Type: multipart/alternative; boundary=\"b0\"\r\n\r\n--b0\r\n"))
        #expect(text.contains("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n"))
        #expect(text.contains("\r\nhttps://login.example.com/x?i=1&s=2\r\n"))
        #expect(text.contains(#"<a href="https://login.example.com/x?i=1&amp;s=2">"#))
        #expect(text.contains("A &amp; B"))
        #expect(text.contains("Date: 21 Nov 2026 12:00:00 +0000\r\n"))
        #expect(text.hasSuffix("--b0--\r\n"))
        #expect(text.split(separator: "\r\n").allSatisfy { !$0.contains("\n") && !$0.contains("\r") })
    }

    @Test func aLinkThatIsTooLongForALineIsEncoded() throws {
        let link = "https://login.example.com/mpinActivate?i=" + String(repeating: "ab", count: 1000)
        let text = String(
            decoding: MailMessage(
                mail: Self.mail("zoë@example.com", link: link), sender: "k@example.com", boundary: "b0"
            ).bytes, as: UTF8.self)
        let parts = text.components(separatedBy: "Content-Transfer-Encoding: base64\r\n\r\n")
        #expect(parts.count == 3)
        let encoded = parts[1].components(separatedBy: "\r\n--b0")[0]
        let decoded = try #require(Data(base64Encoded: encoded, options: .ignoreUnknownCharacters))
        #expect(String(decoding: decoded, as: UTF8.self).contains(link))
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 998 })
    }

    @Test func anAddressGetsTenMailsAnHour() async throws {
        let limit = MailLimit(in: MemoryTables())
        let start = WallTime(seconds: 0)
        var answers: [Bool] = []
        for second in 0..<11 {
            let recipient = second == 0 ? "Alice@example.com" : "alice@example.com"
            answers.append(try await limit.admits(Self.mail(recipient), now: start + .seconds(second)))
        }
        #expect(answers == Array(repeating: true, count: 10) + [false])
        let later = [
            try await limit.admits(Self.mail("bob@example.com"), now: start),
            try await limit.admits(Self.mail("alice@example.com"), now: start + .seconds(3599)),
            // Strangers cannot use up an owner's notices.
            try await limit.admits(Self.notice("alice@example.com"), now: start + .seconds(3599)),
            try await limit.admits(Self.mail("alice@example.com"), now: start + .seconds(3600)),
        ]
        #expect(later == [true, false, true, true])
    }
}
