// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Patience
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The sentences for people who log in: in their language, without technical words.
@Suite struct PageWordsTests {
    private static func gaps(_ sentence: String) -> [Substring] {
        sentence.matches(of: /\{[^}]*\}/).map(\.output).sorted()
    }

    @Test func allLanguagesAreThere() {
        #expect(PageWords.all.map(\.language) == ["en", "de", "fr", "es", "bg"])
    }

    /// Short labels may be the same word as in English.
    @Test(arguments: PageWords.all.map(\.language))
    func everySentenceIsTranslatedWithItsGaps(_ language: String) {
        for word in PageWord.allCases {
            let (sentence, english) = (PageWords.named(language).sentences[word], PageWords.english.sentences[word])
            #expect(!sentence.isEmpty && !sentence.contains("  "), "\(word)")
            #expect(!sentence.contains { "<>&\"".contains($0) }, "\(word)")
            #expect(Self.gaps(sentence) == Self.gaps(english), "\(word)")
            #expect(language == "en" || english.count(where: { $0 == " " }) < 2 || sentence != english, "\(word)")
        }
    }

    @Test(
        arguments: [
            (nil, "en"), ("", "en"), ("de", "de"), ("de-AT", "de"), ("DE", "de"), ("xx,fr;q=0.3,es;q=0.4", "es"),
            ("fr;q=0.5, bg", "bg"), ("fr;q=0, bg;q=0.1", "bg"), ("fr;q=2,es;q=nan,bg;q=-1", "en"), ("*", "en"),
            ("*;q=0.1,fr;q=0.2", "fr"), ("es,fr", "es"), (" fr ; q=0.9 ,de;q=0.8", "fr"), ("fr;level=1", "en"),
        ] as [(String?, String)])
    func areChosenByTheBrowser(_ header: String?, _ language: String) {
        #expect(PageWords.chosen(by: header).language == language)
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func takeAnyWish(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = ["de", "fr", "*", ";", "q=", "0.5", ",", " ", "-", "1e999", "\u{0}", "\u{1f600}", "=", "bg;q=0.7"]
        let header = (0..<Int.random(in: 0..<200, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
        }
        #expect(PageWords.all.map(\.language).contains(PageWords.chosen(by: header.joined()).language))
    }

    @Test(arguments: [
        ("de-AT,de;q=0.9,en;q=0.5", "de", "Halten Sie diesen Code"), ("bg", "bg", "Покажете този код"),
        ("fr;q=0.4, es;q=0.8", "es", "Muestre este código"), ("xx", "en", "Hold this code"),
    ])
    func peopleReadTheirLanguage(_ header: String, _ language: String, _ sentence: String) async throws {
        try await withBackend(options: ["--site-name", "Shop & <Co>"]) { backend in
            for endpoint in ["/", "/trust-2025/"] {
                let page = try await backend.client.get(endpoint, headers: [.acceptLanguage: header]).text
                #expect(page.contains("<html lang=\"\(language)\">") && page.contains(sentence))
                #expect(page.contains("<p id=\"site\">Shop &amp; &lt;Co&gt;</p>"))
                for word in ["OpenID", "dialect", "Dialect"] { #expect(!page.contains(word)) }
            }
            let refused = try await backend.client.get("/authorize?client_id=x", headers: [.acceptLanguage: header])
            #expect(refused.status == 400 && refused.text.contains("<html lang=\"\(language)\">"))
        }
    }

    /// A browser gets a page where a program gets JSON.
    @Test func anUnknownAddressIsAPage() async throws {
        try await withBackend { backend in
            let headers: HTTPFields = [.accept: "text/html,*/*;q=0.8", .acceptLanguage: "de"]
            for path in ["/nothing", "/trust-2025/nothing", "/authorize/0123456789abcdef/qr.png"] {
                let page = try await backend.client.get(path, headers: headers)
                #expect(page.status == 404 && page.headers[.contentType]?.hasPrefix("text/html") == true)
                #expect(page.text.contains("Seite nicht gefunden") && !page.text.contains("nothing"))
                for accept in ["*/*", "application/json"] {
                    let reply = try await backend.client.get(path, headers: [.accept: accept])
                    #expect(reply.status == 404 && reply.object.string("message") != nil)
                }
            }
            let broken = try await backend.client.get("/authorize/0123456789abcdef/done", headers: headers)
            #expect(broken.status == 400 && broken.text.contains("Das hat nicht geklappt"))
            let posted = try await backend.client.send(.post, "/nothing", headers: headers)
            #expect(posted.object.string("message") != nil)
        }
    }

    /// The page says that somebody pressed "Not me" at the kiosk, until the next scan or the next code.
    @Test(arguments: [Dialect.milagro, .mfaV2, .trust2025])
    func whoSaidNoIsTold(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let browser = Browser(endpoint)
            #expect(try await browser.get("/").text.contains("data-declined=\""))
            func session() async throws -> JSONObject { try await browser.get("/session").object }
            #expect(try await session().flag("declined") == nil)
            let code = try await browser.anyCode(below: endpoint.base)
            try await endpoint.report("wid", code, dialect)
            #expect(try await session().string("state") == "scanned")
            try await endpoint.report("abort", code, dialect)
            let declined = try await session()
            #expect(declined.string("state") == "new" && declined.flag("declined") == true)
            // Opening the page again keeps its code.
            _ = try await browser.get("/")
            #expect(try await browser.anyCode(below: endpoint.base) == code)
            try await endpoint.report("wid", code, dialect)
            #expect(try await session().flag("declined") == nil)
        }
    }
}
