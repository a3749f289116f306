// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import HTTPTypes
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

    @Test(arguments: Dialect.allCases)
    func aDeviceLogsTheBrowserInThere(_ dialect: Dialect) async throws {
        try await AnyDevice.withPlace(dialect) { place in
            let device = try await AnyDevice.registered(dialect, at: place)
            let browser = Browser(place)
            _ = try await browser.get("/")
            #expect(try await browser.get("/protected").status == 401)
            let accessCode = try await Self.accessCode(on: browser, dialect, at: place)
            async let last = device.logIn(accessCode)
            #expect(try await browser.waitForLogin() == AnyDevice.userID)
            #expect(try await last == 200)
            #expect(try await browser.get("/protected").text.contains(AnyDevice.userID))
            // Neither a link nor another site's form logs the browser out.
            #expect(try await browser.get("/logout").text.contains("action=\"\(place.base)/logout\""))
            #expect(try await browser.submit("/logout", [], origin: "https://evil.example").status == 403)
            #expect(try await browser.get("/protected").status == 200)
            #expect(try await browser.submit("/logout", []).headers[.location] == place.base + "/")
            #expect(try await browser.get("/protected").status == 401)
        }
    }

    /// In every dialect three wrong PINs in a row block, and a revoked identity is refused.
    @Test(arguments: Dialect.allCases)
    func countersAndRevocationHoldThere(_ dialect: Dialect) async throws {
        try await AnyDevice.withPlace(dialect) { place in
            let device = try await AnyDevice.registered(dialect, at: place)
            func attempt(pin: String) async throws -> Int {
                let browser = Browser(place)
                _ = try await browser.get("/")
                return try await device.logIn(
                    try await Self.accessCode(on: browser, dialect, at: place), pin: pin)
            }
            for status in [401, 401, 410] {
                #expect(try await attempt(pin: "9999") == status)
                place.clock.letDelaysPass()
            }
            let state = try BackendState(directory: place.state.path, clock: place.clock)
            #expect(try await state.unblock(userID: AnyDevice.userID) == 1)
            #expect(try await state.users().map(\.status) == [.registered])
            #expect(try await state.revoke(userID: AnyDevice.userID) == 1)
            #expect(try await state.users().map(\.status) == [.revoked])
        }
    }

    @Test(arguments: [4, 5, 6], [Dialect.mfaV2, .trust2023, .trust2025])
    func everyPlaceTellsThePINLength(_ length: Int, _ dialect: Dialect) async throws {
        try await AnyDevice.withPlace(dialect, options: ["--pin-length", "\(length)"]) { place in
            let session = try await place.client.post(
                "/rps/v2/session", ["projectId": .string(AnyDevice.companyID)]
            ).object
            let details = try await place.client.post(
                "/rps/v2/codeStatus", ["status": "wid", "wid": try #require(session.members["accessId"])])
            #expect(details.object.integer("pinLength") == Int64(length))
        }
    }

    /// A code or cookie of one place is worthless at another.
    @Test func placesOfOneProtocolAreApart() async throws {
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
            #expect(try await backend.client.get("/milagro/rps/clientSettings").status == 200)
            #expect(try await backend.client.get("/mfa-v1/rps/clientSettings").status == 200)
            let project = try await backend.client.get("/trust-2025/.well-known/project-configuration")
            let id = try #require(project.object.string("id"))
            let named = try backend.identified(as: id).below("/mfa-v1")
            #expect(try await named.client.get("/rps/clientSettings").status == 200)
        }
    }

    private static func accessCode(
        on browser: Browser, _ dialect: Dialect, at place: RunningBackend
    ) async throws -> String {
        dialect.platformGeneration == nil
            ? try await browser.accessCode() : try await browser.accessID(below: place.base)
    }
}

extension [RunningBackend] {
    /// The names of the login pages' cookies.
    fileprivate func cookieNames() async throws -> [String] {
        var names: [String] = []
        for place in self {
            let set = try #require(try await place.client.get("/").headers[.setCookie])
            let path = place.base.isEmpty ? "/" : place.base
            #expect(set.split(separator: "; ").contains("Path=\(path)"))
            names.append(String(set.prefix { $0 != "=" }))
        }
        return names
    }
}
