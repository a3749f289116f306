// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import HTTPTypes
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The line below the picture, for a kiosk that cannot scan.
@Suite struct TypedCodeTests {
    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits])
    func theNumberOnThePageLogsItsBrowserIn(_ dialect: Dialect) async throws {
        try await withBackend(options: ["--dialect", dialect.rawValue]) { backend in
            let device = try await Device.registered(dialect, at: backend)
            let browser = Browser(backend)
            let number = try #require((try await browser.get("/")).typedCode)
            #expect(number.utf8.count == AccessNumber.digits)
            #expect(AccessNumber.checkDigit(of: number.utf8.prefix(6).map { Int($0) - 0x30 }) == Int(number.suffix(1)))
            _ = try await backend.client.post("/rps/codeStatus", ["status": "wid", "wid": .string(number)])
            #expect(try await browser.session() == ["scanned", ""])
            async let last = device.logIn(number)
            #expect(try await browser.waitForLogin() == Device.userID)
            #expect(try await last == 200)
            #expect((try await browser.get("/")).typedCode == nil)
        }
    }

    /// A picture or frame on a stranger's page takes no number of its visitors' address, and its form neither.
    @Test(arguments: ["image", "iframe", "empty"])
    func aStrangersPageTakesNoNumber(_ destination: String) async throws {
        try await withBackend { backend in
            let (fetched, site) = try (
                #require(HTTPField.Name("Sec-Fetch-Dest")), #require(HTTPField.Name("Sec-Fetch-Site"))
            )
            for _ in 1...300 {
                let reply = try await backend.client.get("/", headers: [fetched: destination, site: "cross-site"])
                try #require(reply.status == 403 && reply.headers[.setCookie] == nil)
                let number = try await backend.client.send(
                    .post, "/rps/getAccessNumber", headers: [site: "cross-site"])
                try #require(number.status == 403)
            }
            let page = try await backend.client.get("/", headers: [fetched: "document", site: "cross-site"])
            #expect(page.typedCode != nil)
            #expect(
                try await backend.client.send(.post, "/rps/getAccessNumber", headers: [site: "same-origin"]).status
                    == 200)
        }
    }

    @Test(arguments: [Dialect.mfaV1, .mfaV2, .trust2023, .trust2025])
    func elsewhereItIsTheCodeOfThePicture(_ dialect: Dialect) async throws {
        try await withBackend(options: ["--dialect", dialect.rawValue, "--company-id", Device.companyID]) {
            backend in
            let browser = Browser(backend)
            let code = (try await browser.get("/")).typedCode
            #expect(try await browser.anyCode(below: "") == code)
            // A kiosk accepts typed codes for an origin only.
            #expect((try await browser.get("/\(dialect.rawValue)/")).typedCode == nil)
        }
    }
}
