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
    @Test func theLinkShowsACodeForTheKiosk() async throws {
        try await withProject { project in
            let backend = project.backend
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
