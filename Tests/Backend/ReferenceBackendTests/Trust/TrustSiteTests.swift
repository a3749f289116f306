// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import KioskTestKit
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The pages of a Trust project.
@Suite struct TrustSiteTests {
    @Test(arguments: [
        (PlatformGeneration.trust2025, false), (.trust2023, false), (.trust2025, true), (.trust2023, true),
    ])
    func theLoginPageFollowsTheDevice(generation: PlatformGeneration, isOrigin: Bool) async throws {
        let dialect = isOrigin ? try #require(Dialect(rawValue: generation.rawValue)) : .milagro
        try await withBackend(options: ["--dialect", dialect.rawValue]) { backend in
            let project = try await TrustProject(generation, at: backend, isOrigin: isOrigin)
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let browser = Browser(backend)
            let page = try await browser.get(project.base + "/")
            #expect(page.status == 200)
            #expect(page.text.contains("src=\"\(project.base)/page.js\" data-root=\"\(project.base)/\""))
            #expect(try await browser.get(project.base + "/page.js").status == 200)
            #expect(try await browser.get(project.base + "/qr.png").headers[.contentType] == "image/png")
            #expect(try await browser.get(project.base + "/protected").status == 401)
            #expect(try await state(browser, project) == ["new", ""])

            let accessID = try await browser.accessID(of: project)
            _ = try await project.report("wid", accessID: accessID)
            #expect(try await state(browser, project) == ["scanned", ""])
            _ = try await project.report("user", accessID: accessID, userID: device.userID)
            #expect(try await state(browser, project) == ["user", "alice@example.com"])
            #expect(try await device.authenticate(pin: "1234", accessID: accessID).status == 200)
            #expect(try await state(browser, project) == ["authenticated", "alice@example.com"])
            #expect(try await state(browser, project) == ["authenticated", "alice@example.com"])
            let hello = try await browser.get(project.base + "/protected")
            #expect(hello.text.contains("Hello, <strong id=\"user\">alice@example.com"))
            #expect(try await browser.post(project.base + "/logout", [:]).status == 303)
            #expect(try await browser.get(project.base + "/protected").status == 401)
        }
    }

    private func state(_ browser: Browser, _ project: TrustProject) async throws -> [String] {
        let reply = try await browser.get(project.base + "/session")
        try #require(reply.status == 200)
        return [reply.object.string("state") ?? "", reply.object.string("user") ?? ""]
    }

    @Test func theLinkShowsACodeForTheKiosk() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let user = "<b>@example.com"
            _ = try await project.mail(to: user)
            let link = try await backend.mailedPage()
            let page = try await backend.client.get(String(link.dropFirst(backend.addresses.publicURL.count)))
            #expect(page.status == 200)
            #expect(page.text.contains("&lt;b&gt;@example.com") && !page.text.contains(user))
            let query = try #require(link.split(separator: "?").last)
            let picture = try await backend.client.get(project.base + "/verification/qr.png?" + query)
            #expect(picture.headers[.contentType] == "image/png")
            // The page asks for what the mail asks for.
            let code = try await project.newestCode()
            #expect(page.text.contains("type this code on the kiosk: <strong id=\"code\">\(code)</strong>"))
            #expect(try await backend.mails().first?.string("text")?.contains("type this code on the kiosk") == true)
            // Looking at it does not use it up, as mail programs do that.
            for _ in 0..<3 {
                let path = String(link.dropFirst(backend.addresses.publicURL.count))
                #expect(try await backend.client.get(path).status == 200)
                #expect(try await backend.client.send(.head, path).status == 200)
            }
            let scanned = try await project.newestLinkCode()
            #expect(try await project.confirm(user, code: code).status == 200)
            // Then neither works.
            #expect(try await project.confirm(user, code: code).status == 400)
            #expect(try await project.confirm(user, code: scanned).status == 400)
            let path = String(link.dropFirst(backend.addresses.publicURL.count))
            let late = try await backend.client.get(path)
            #expect(late.status == 400 && !late.text.contains(code))
            for broken in ["", "?user_id=a", "?user_id=a&code=zz", "?code=\(String(repeating: "0", count: 32))"] {
                let path = project.base + "/verification/confirmation" + broken
                #expect(try await backend.client.get(path).status == 400)
            }
        }
    }

    @Test func anOriginThatSpeaksTrustSpeaksNothingElse() async throws {
        try await withBackend(options: ["--dialect", "trust-2025"]) { backend in
            for path in ["/service", "/rps/clientSettings", "/status", "/dta/status"] {
                let reply = try await backend.client.get(path)
                #expect(reply.status == 404)
            }
        }
    }

    @Test(arguments: [0, 3, 7])
    func aPINHasFourToSixDigits(_ length: Int) {
        #expect(Backend.complaint(options: ["--pin-length", "\(length)"]).contains("4 to 6"))
    }
}
