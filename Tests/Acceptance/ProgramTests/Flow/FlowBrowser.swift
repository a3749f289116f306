// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import LoginValues
import QRReader
import Testing

/// The browser of an interaction, and its page, which shows a QR code or an access number.
final class FlowBrowser {
    private let browser: SiteClient
    /// The token of the access number on the page.
    private var webOTT: String?
    /// The codes of the pages so far.
    private var codes: [String] = []

    init(site: String) async throws { browser = try await SiteClient(opening: site) }

    func picture() async throws -> Data {
        let picture = try await browser.picture()
        codes.append(try Self.accessCode(in: picture))
        return picture
    }

    /// The access code in a picture of the login page's QR code.
    static func accessCode(in picture: Data) throws -> String {
        let picture = try Picture(decoding: Array(picture), from: "/qr.png")
        var reader = QRReader()
        let readings = picture.withFrame(captured: .zero) { frame in reader.read(frame, effort: .everything) }
        let text = readings.first?.payload.withBytes { bytes in
            String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        }
        return try #require(text?.split(separator: "#").last.map(String.init), "the picture has no code")
    }

    /// Codes, tokens and cookies, now.
    var secrets: [String] { codes + browser.cookieValues }

    /// The access number. docs/protocol/milagro.md, section 7.3.
    func accessNumber() async throws -> String {
        let reply = try await browser.post("/rps/getAccessNumber", [:])
        webOTT = reply["webOTT"] as? String
        codes += [webOTT].compactMap(\.self)
        return try #require(reply["accessNumber"] as? String)
    }

    /// Polls like the page's script, without which no login completes.
    func poll() async throws {
        guard let webOTT else { return try await browser.poll() }
        if try await browser.takeVerdict(webOTT) { self.webOTT = nil }
    }

    func isLoggedIn(as user: String) async throws -> Bool { try await browser.page("/protected").contains(user) }
}
