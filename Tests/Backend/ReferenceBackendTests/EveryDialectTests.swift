// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
import Patience
import Testing

@testable import BackendDatabases
@testable import MPinServer
@testable import ReferenceBackend

/// All dialects at once, each at its own path with a login site.
@Suite struct EveryDialectTests {
    @Test func onePageLeadsToAllOfThem() async throws {
        try await withBackend(options: ["--company-id", "a<b"]) { backend in
            let index = try await backend.client.get("/dialects")
            #expect(index.status == 200)
            for dialect in Dialect.allCases {
                #expect(index.text.contains("<a href=\"/\(dialect.rawValue)/\">"))
                #expect(index.text.contains(backend.url + "/" + dialect.rawValue))
                let page = try await backend.client.get("/\(dialect.rawValue)/")
                #expect(page.status == 200 && page.text.contains("src=\"/\(dialect.rawValue)/qr.png?"))
                // Other visitors get no link to it.
                #expect(!page.text.contains("/dialects"))
                for asset in PageAsset.all {
                    #expect(try await backend.client.get("/\(dialect.rawValue)/\(asset.path)").status == 200)
                }
            }
            #expect(index.text.contains("<code>a&lt;b</code>"))
        }
    }

    /// At the dialect's own path, and at the origin of a backend that speaks it there.
    @Test(arguments: Dialect.allCases, [false, true])
    func aDeviceLogsTheBrowserIn(_ dialect: Dialect, isOrigin: Bool) async throws {
        let origin = isOrigin ? dialect : .milagro
        try await Device.withEndpoint(dialect, options: ["--dialect", origin.rawValue]) { endpoint in
            let device = try await Device.registered(dialect, at: endpoint)
            let endpoint = endpoint.below(isOrigin ? "" : endpoint.base)
            let browser = Browser(endpoint)
            let page = try await browser.get("/").text
            #expect(page.contains("<img id=\"qr\" src=\"\(endpoint.base)/qr.png?"))
            #expect(page.contains("src=\"\(endpoint.base)/page.js\" data-root=\"\(endpoint.base)/\""))
            #expect(try await browser.get("/qr.png?1").body.starts(with: [0x89, 0x50, 0x4e, 0x47]))
            #expect(try await browser.session() == ["new", ""])
            #expect(try await browser.get("/protected").status == 401)
            let accessCode = try await browser.anyCode(below: endpoint.base)
            let there = device.moved(to: endpoint)
            // The page follows the device.
            _ = try await there.report("wid", accessCode: accessCode)
            #expect(try await browser.session() == ["scanned", ""])
            _ = try await there.report("user", accessCode: accessCode, userID: Device.userID)
            #expect(try await browser.session() == ["user", Device.userID])
            _ = try await there.report("abort", accessCode: accessCode)
            #expect(try await browser.session() == ["new", ""])

            async let last = there.logIn(accessCode)
            #expect(try await browser.waitForLogin() == Device.userID)
            #expect(try await last == 200)
            #expect(try await browser.session() == ["authenticated", Device.userID])
            let hello = "Hello, <strong id=\"user\">\(Device.userID)"
            #expect(try await browser.get("/protected").text.contains(hello))
            #expect(try await browser.get("/").text.contains(Device.userID))
            // Neither a link nor another site's form logs the browser out.
            #expect(try await browser.get("/logout").text.contains("action=\"\(endpoint.base)/logout\""))
            #expect(try await browser.submit("/logout", [], origin: "https://evil.example").status == 403)
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await browser.submit("/logout", []).headers[.location] == endpoint.base + "/")
            #expect(try await browser.get("/protected").status == 401)
        }
    }

    /// Logins that have begun do not help a revoked identity, neither alone nor for a browser.
    @Test(arguments: Dialect.allCases)
    func aRevokedIdentityIsRefusedAtOnce(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let endpoint = device.backend
            let browser = Browser(endpoint)
            _ = try await browser.get("/")
            let plain = try await device.passes()
            let login = try await device.passes(
                accessCode: try await browser.anyCode(below: endpoint.base), scope: "oidc")
            let state = try BackendState(directory: endpoint.state.path, clock: endpoint.clock)
            #expect(try await state.revoke(userID: Device.userID) == 1)
            #expect(try await state.users().map(\.status) == [.revoked])
            // A classic device waits for its page, which polls meanwhile.
            let page = Task { while !Task.isCancelled { _ = try await browser.session() } }
            defer { page.cancel() }
            let refused = try await device.handIn(plain)
            #expect(refused.status == 410 && refused.object.string("code") == nil)
            #expect(try await device.finish(login).status == 410)
            if dialect.hasWebTokens { #expect(try await device.passOne().status == 410) }
            #expect(try await browser.get("/protected").status == 401)
        }
    }

    @Test(arguments: [Dialect.milagro, .milagroWithoutPermits, .mfaV1, .mfaV2])
    func aOneTimePasswordComesWithItsLifetime(_ dialect: Dialect) async throws {
        try await Device.with(dialect) { device in
            let second = try await device.sendPassTwo(try await device.passTwo(scope: "otp", otp: true))
            let last = try await device.handIn(try device.lastBody(second)).object
            let password = dialect == .mfaV2 ? last.string("OTP") : second.object.string("OTP")
            #expect(password?.count == 6)
            #expect(dialect != .mfaV2 || last.string("otp") == password)
            let now = device.backend.clock.now.milliseconds
            #expect(last.integer("ttlSeconds") == 60 && last.integer("nowTime") == now)
            #expect(last.integer("expireTime") == now + 60_000)
        }
    }

    @Test(arguments: [4, 5, 6], [Dialect.mfaV2, .trust2023, .trust2025])
    func everyEndpointTellsThePINLength(_ length: Int, _ dialect: Dialect) async throws {
        try await Device.withEndpoint(dialect, options: ["--pin-length", "\(length)"]) { endpoint in
            let session = try await endpoint.client.post(
                "/rps/v2/session", ["projectId": .string(Device.companyID)]
            ).object
            let details = try await endpoint.client.post(
                "/rps/v2/codeStatus", ["status": "wid", "wid": try #require(session.members["accessId"])])
            #expect(details.object.integer("pinLength") == Int64(length))
        }
    }

    /// A code or cookie of one endpoint is worthless at another.
    @Test func endpointsOfOneProtocolAreApart() async throws {
        try await withBackend { backend in
            let here = backend.below("/milagro")
            let elsewhere = backend.below("/milagro-without-permits")
            let (_, webOTT) = try await here.client.newQRSession()
            #expect(try await here.client.access(webOTT).string("status") == "new")
            #expect(try await elsewhere.client.access(webOTT).string("status") == "expired")
            #expect(try await backend.client.access(webOTT).string("status") == "expired")
            let names = try await [backend, here, elsewhere].cookieNames()
            #expect(Set(names).count == 3)
        }
    }

    /// Without a configured company the platform's project has an id of its own, which devices may name.
    @Test func devicesNeedNotNameACompanyThatIsNotConfigured() async throws {
        try await withBackend { backend in
            let project = try await backend.client.get("/trust-2025/.well-known/project-configuration")
            let id = try #require(project.object.string("id"))
            for path in [
                "/milagro/rps/clientSettings", "/mfa-v1/service", "/mfa-v1/rps/clientSettings", "/mfa-v2/service",
                "/mfa-v2/rps/v2/clientSettings",
            ] {
                #expect(try await backend.client.get(path).status == 200)
                #expect(try await backend.identified(as: id).client.get(path).status == 200)
                let other = try await backend.identified(as: "another").client.get(path)
                #expect(other.status == (path.hasPrefix("/mfa") ? 406 : 200))
            }
        }
    }

    /// The same at the origin of a backend that speaks the platform's dialect there.
    @Test func theOriginAcceptsDevicesThatNameNoCompany() async throws {
        try await withBackend(options: ["--dialect", "mfa-v1"]) { backend in
            for path in ["/service", "/rps/clientSettings"] {
                let unnamed = try await backend.client.get(path)
                let other = try await backend.identified(as: "another").client.get(path)
                #expect(unnamed.status == 200 && other.status == 406)
            }
        }
    }
}

extension [RunningBackend] {
    /// The names of the login pages' cookies.
    fileprivate func cookieNames() async throws -> [String] {
        var names: [String] = []
        for endpoint in self {
            let set = try #require(try await endpoint.client.get("/").headers[.setCookie])
            let path = endpoint.base.isEmpty ? "/" : endpoint.base
            #expect(set.split(separator: "; ").contains("Path=\(path)"))
            names.append(String(set.prefix { $0 != "=" }))
        }
        return names
    }
}
