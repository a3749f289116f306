// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Foundation
import HTTPTypes
import LinuxSystem
import Patience
import Sealing
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// Mails are in the language of the request that caused them, and their links fit into a line.
@Suite struct MailWordsTests {
    /// A mail as a mail program reads it: the header's fields, and the parts by type.
    private struct ReadMail {
        var fields: [String: String] = [:]
        var parts: [String: String] = [:]

        init(_ lines: [String]) throws {
            var position = lines.startIndex
            func head() -> [String: String] {
                var fields: [(String, String)] = []
                while position < lines.endIndex, !lines[position].isEmpty {
                    let line = lines[position]
                    position += 1
                    if line.hasPrefix(" ") {
                        fields[fields.count - 1].1 += line
                    } else if let colon = line.firstIndex(of: ":") {
                        fields.append(
                            (String(line[..<colon]), String(line[line.index(after: colon)...].dropFirst())))
                    }
                }
                position += 1
                return Dictionary(fields) { $1 }
            }
            fields = head()
            let type = try #require(fields["Content-Type"])
            let boundary = "--" + type.split(separator: "\"")[1]
            while position < lines.endIndex, lines[position] != boundary + "--" {
                try #require(lines[position] == boundary)
                position += 1
                let head = head()
                let end = try #require(lines[position...].firstIndex { $0.hasPrefix(boundary) })
                let content = lines[position..<end].joined(separator: "\n")
                position = end
                let name = try #require(head["Content-Type"]?.split(separator: ";").first)
                try #require(head["Content-Type"]?.hasSuffix("charset=utf-8") == true)
                switch head["Content-Transfer-Encoding"] {
                case "7bit":
                    try #require(content.utf8.allSatisfy { $0 < 0x80 })
                    parts[String(name)] = content
                case "base64":
                    let bytes = try #require(Data(base64Encoded: content, options: .ignoreUnknownCharacters))
                    let text: String = try #require(String(validating: bytes, as: UTF8.self))
                    parts[String(name)] = text
                default: Issue.record("an encoding that is none")
                }
            }
        }

        /// The decoded subject (RFC 2047).
        var subject: String? {
            guard let text = fields["Subject"], text.hasPrefix("=?") else { return fields["Subject"] }
            return text.split(separator: " ").map { word in
                let parts = word.split(separator: "?", omittingEmptySubsequences: false)
                guard parts.count == 5, parts[1] == "utf-8", parts[2] == "B",
                    let bytes = Data(base64Encoded: String(parts[3]))
                else { return "?" }
                return String(validating: bytes, as: UTF8.self) ?? "?"
            }.joined()
        }
    }

    @Test(arguments: PageWords.all.map(\.language))
    func aMailSpeaksTheLanguageOfItsRequest(_ language: String) async throws {
        let sink = try await MailSink()
        let url = sink.url
        try await withBackend(options: ["--smtp", url, "--smtp-from", "kiosk@example.com"]) { backend in
            async let conversation = sink.receive()
            let header = "xx, \(language)-XY;q=0.9, en;q=0.1"
            _ = try await backend.client.put(
                "/rps/user", ["userId": "alice@example.com", "mobile": 1], headers: [.acceptLanguage: header])
            let lines = try await conversation
            for begin in [
                "MAIL FROM:<kiosk@example.com>", "RCPT TO:<alice@example.com>", "Auto-Submitted: auto-generated",
            ] {
                #expect(lines.contains { $0.hasPrefix(begin) }, "\(begin)")
            }
            let start = try #require(lines.firstIndex { $0.hasPrefix("From: ") })
            let end = try #require(lines[start...].firstIndex(of: "."))
            let mail = try ReadMail(Array(lines[start..<end]))
            let words = PageWords.named(language)
            #expect(mail.subject == words.plain(.mailConfirmSubject))
            let text = try #require(mail.parts["text/plain"])
            #expect(text.contains(words.plain(.mailOpenPage)) && text.contains("alice@example.com"))
            let link = try #require(try await backend.mails().first?.string("link"))
            #expect(text.split(separator: "\n").contains { $0 == link })
            let html = try #require(mail.parts["text/html"])
            #expect(html.contains("<html lang=\"\(language)\">") && html.contains("href=\"\(link)\""))
            #expect(lines[start..<end].allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } && $0.utf8.count <= 998 })
        }
    }

    /// A person who has an identity is asked for a new registration, whatever the dialect.
    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits, .mfaV1, .mfaV2])
    func aRegistrationAgainIsCalledSo(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            for (subject, question) in [
                ("Confirm your registration", PageWord.confirmQuestion),
                ("Confirm your new registration", .confirmAgainQuestion),
            ] {
                _ = try await Device.registered(dialect, at: endpoint)
                let mail = try #require(try await endpoint.mails().first)
                #expect(mail.string("subject") == subject)
                let isAgain = question == .confirmAgainQuestion
                let sentence = PageWords.english.plain(
                    isAgain ? .mailAgain : .mailRegistered,
                    ["user": Device.userID, "site": "login-kiosk demonstration"])
                #expect(mail.string("text")?.hasPrefix(sentence) == true)
                let link = try await endpoint.page(of: mail)
                let page = try await endpoint.client.get(String(link.dropFirst(endpoint.url.count)))
                let user = "<strong id=\"user\">\(Device.userID)</strong>"
                #expect(page.text.contains(PageWords.english(question, ["user": user])))
            }
        }
    }

    /// No word of a header splits a character, and no line is longer than 76.
    @Test(arguments: [
        "Registrierung bestätigen", "Потвърдете регистрацията си", String(repeating: "ж€😀a", count: 30), "A",
    ])
    func aSubjectIsOfASCII(_ subject: String) throws {
        let text = "Subject: " + EncodedWords.text(subject)
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 } && lines.dropFirst().allSatisfy { $0.hasPrefix(" ") })
        let mail = try ReadMail(lines + ["Content-Type: multipart/alternative; boundary=\"b\"", "", "--b--"])
        #expect(mail.subject == subject)
    }

    // MARK: Short links

    @Test func aShortLinkLeadsToItsPageUntilItEnds() async throws {
        try await withBackend { backend in
            _ = try await backend.client.put("/rps/user", ["userId": "alice@example.com", "mobile": 1])
            let link = try #require(try await backend.mails().first?.string("link"))
            // With a typical host name.
            #expect(link.replacing(backend.addresses.publicURL, with: "https://login.example.com").utf8.count <= 76)
            let path = String(link.dropFirst(backend.addresses.publicURL.count))
            for _ in 0..<2 {
                let reply = try await backend.client.get(path)
                #expect(reply.status == 303)
                #expect(reply.headers[.location]?.hasPrefix("/mpinActivate?i=") == true)
            }
            let last = try #require(path.last)
            let other = path.dropLast() + (last == "A" ? "B" : "A")
            for strange in [String(other), "/a/", "/a/x", "/a/" + String(repeating: "A", count: 22)] {
                #expect(try await backend.client.get(strange).status == 404)
            }
            // It expires like the long one.
            backend.clock.advance(by: .seconds(3600))
            #expect(try await backend.client.get(path).status == 404)
        }
    }

    /// A copy of the database opens no link.
    @Test(arguments: StorageUnderTest.allCases)
    func theStorageHasNeitherTokenNorAddress(_ kind: StorageUnderTest) async throws {
        let (state, clock) = (TemporaryFolder(), ManualWallClock())
        let storage = try kind.open(in: state).durable
        let site = SiteDescription(
            name: "", publicURL: Eventually(), codeLifetime: .seconds(30), registrations: .anybody)
        site.publicURL.settle(.success("https://login.example.com"))
        let links = MailLinks(storage: storage, site: site, clock: clock, capacity: 2)
        let long = "https://login.example.com/mfa-v2/mpinActivate?i=00&s=11"
        let end = clock.now + .seconds(60)
        let token = try MailLinks.newToken()
        let mount = PlatformMount(generation: .mfaV2, path: "mfa-v2", site: site)
        #expect(
            try await links.short(long, at: mount, token: token, until: end)
                == "https://login.example.com/mfa-v2/a/" + token)
        #expect(try await links.target(of: token) == "/mfa-v2/mpinActivate?i=00&s=11")
        #expect(try await links.target(of: token + "A") == nil)
        #expect(try await storage.mailedLink(Digest.sha256(Array(token.utf8)), now: clock.now) == nil)
        // Another process, also after a restart, knows it.
        let again = MailLinks(storage: try kind.open(in: state).durable, site: site, clock: clock)
        #expect(try await again.target(of: token) == "/mfa-v2/mpinActivate?i=00&s=11")
        // Only for pages of the endpoint.
        for elsewhere in ["https://evil.example.com/", "https://login.example.com/mfa-v20/x"] {
            #expect(try await links.short(elsewhere, at: mount, until: end) == elsewhere)
        }
        // When there are enough the long one is sent, until others expire.
        #expect(try await links.short(long, at: mount, until: end) != long)
        #expect(try await links.short(long, at: mount, until: end) == long)
        clock.advance(by: .seconds(60))
        #expect(try await links.target(of: token) == nil)
        #expect(try await links.short(long, at: mount, until: clock.now + .seconds(60)) != long)
    }
}
