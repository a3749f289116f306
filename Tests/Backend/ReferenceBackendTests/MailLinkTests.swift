// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Foundation
import HTTPTypes
import LinuxSystem
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// Links of mails behind a proxy that passes nothing but one endpoint on.
@Suite struct MailLinkTests {
    /// The proxy, with the browser behind it: whatever leads out of the endpoint is the other site's 404.
    private struct OneEndpoint {
        let endpoint: RunningBackend

        /// - Parameter address: absolute, or a path below the origin.
        func get(_ address: String) async throws -> Reply {
            let path = address.hasPrefix("/") ? address : String(address.dropFirst(endpoint.addresses.publicURL.count))
            try #require(path.hasPrefix(endpoint.base + "/"), "\(address) leads out of \(endpoint.base)")
            return try await endpoint.below("").client.get(path)
        }

        /// Opens a mail's link, as a browser does, with everything that its page shows.
        func open(_ link: String) async throws -> (path: String, page: Reply) {
            let short = try await get(link)
            try #require(short.status == 303, "\(link)")
            let path = try #require(short.headers[.location])
            let page = try await get(path)
            try #require(page.status == 200, "\(path): \(page.text)")
            let shown = page.text.matches(of: /(?:src|href)="([^"]*)"/).map { String($0.1) }
            #expect(shown.count >= 2)
            for address in shown {
                #expect(try await get(address.replacing("&amp;", with: "&")).status == 200, "\(address)")
            }
            for form in page.text.matches(of: /action="([^"]*)"/) { #expect(form.1.hasPrefix(endpoint.base + "/")) }
            return (path, page)
        }
    }

    @Test(arguments: Dialect.allCases)
    func aProxyOfOneEndpointPassesItsMailsOn(_ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect) { endpoint in
            let proxy = OneEndpoint(endpoint: endpoint)
            // Registering confirms the mail's page, or hands in its code.
            _ = try await Device.registered(dialect, at: endpoint)
            let mail = try #require(try await endpoint.mails().first)
            let link = try #require(mail.string("link"))
            #expect(link.hasPrefix(endpoint.url + "/a/"))
            guard dialect == .trust2023 || dialect == .trust2025 else {
                #expect(try await proxy.open(link).page.text.contains("mpinActivate"))
                return
            }
            // The page of a used code is gone: another person's is open.
            let project = try await TrustProject(try #require(dialect.platformGeneration), at: endpoint.below(""))
            _ = try await project.mail(to: "bob@example.com")
            let newest = try #require(try await endpoint.mails().first?.string("link"))
            let (path, page) = try await proxy.open(newest)
            let code = try #require(try await endpoint.mails().first?.string("code"))
            #expect(path.hasPrefix(endpoint.base + "/verification/confirmation?") && page.text.contains(code))
        }
    }
}
