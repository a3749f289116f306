// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import HTTPTypes
import KioskTestKit
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// A device is told where the browser is. If the operator wants it, a browser at another place cannot be logged in.
@Suite struct BrowserLocationTests {
    private static let (lobby, kiosk, away) = ("192.0.2.7", "192.0.2.8", "198.51.100.7")

    private static func withEndpoint(
        _ dialect: Dialect, refuses: Bool, observer: WatchedBackend = WatchedBackend(),
        _ body: @escaping @Sendable (RunningBackend, Device) async throws -> Void
    ) async throws {
        try await withBackend(
            observer: observer,
            options: [
                "--company-id", Device.companyID, "--trusted-proxy", "127.0.0.1", "--place", "library=192.0.2.0/24",
            ] + (refuses ? ["--refuse-other-places"] : [])
        ) { backend in
            let endpoint = try backend.identified(as: Device.companyID).below("/" + dialect.rawValue).from(kiosk)
            try await body(endpoint, try await Device.registered(dialect, at: endpoint))
        }
    }

    private static func page(
        from address: String, at endpoint: RunningBackend
    ) async throws -> (browser: Browser, code: String) {
        let browser = Browser(try endpoint.below("").from(address))
        try #require(try await browser.get(endpoint.base + "/").status == 200)
        return (browser, try await browser.anyCode(below: endpoint.base))
    }

    @Test(arguments: Dialect.allCases)
    func isTold(_ dialect: Dialect) async throws {
        let observer = WatchedBackend()
        try await Self.withEndpoint(dialect, refuses: false, observer: observer) { endpoint, device in
            for (address, location) in [(Self.away, BrowserLocation.other), (Self.lobby, .same)] {
                let (browser, code) = try await Self.page(from: address, at: endpoint)
                let details = try await endpoint.details(of: code, dialect)
                #expect(details.status == 200)
                #expect(details.object.string("browserLocation") == location.rawValue)
                #expect(details.object.flag("browserRefused") == nil)
                // Only a warning: the person decides.
                try await device.logIn(browser, at: endpoint.base)
                let proof = try #require(observer.checkedProofs.last)
                #expect(proof.verdict == .right && proof.browser == location)
            }
        }
    }

    /// The relay attack: a live code of a page elsewhere is shown to a person in the lobby.
    @Test(arguments: Dialect.allCases)
    func anotherPlaceIsRefused(_ dialect: Dialect) async throws {
        let observer = WatchedBackend()
        try await Self.withEndpoint(dialect, refuses: true, observer: observer) { endpoint, device in
            let (attacker, code) = try await Self.page(from: Self.away, at: endpoint)
            let details = try await endpoint.details(of: code, dialect)
            #expect(details.object.flag("browserRefused") == true)
            // A device that ignores this continues without success, with any PIN, and nothing is counted.
            for pin in ["1234", "4321", "4321", "4321", "1234"] {
                #expect(try await device.logIn(code, pin: pin) == 403)
                let proof = try #require(observer.checkedProofs.last)
                #expect(proof.verdict == .elsewhere && proof.browser == .other && proof.userID == Device.userID)
            }
            #expect(try await attacker.get(endpoint.base + "/session").object.string("state") != "authenticated")
            #expect(try await attacker.get(endpoint.base + "/protected").status == 401)
            // Its own browser is not the attacker's.
            let (browser, _) = try await Self.page(from: Self.lobby, at: endpoint)
            try await device.logIn(browser, at: endpoint.base)
        }
    }

    /// A typed number, and sessions that a page opens itself.
    @Test func otherCodesAreTold() async throws {
        try await withBackend(options: ["--trusted-proxy", "127.0.0.1", "--place", "library=192.0.2.0/24"]) { backend in
            let kiosk = try backend.from(Self.kiosk)
            for (address, location) in [(Self.away, "other"), (Self.lobby, "same")] {
                let browser = Browser(try backend.from(address))
                let number = try #require((try await browser.get("/")).typedCode)
                let page = try backend.from(address).client
                let codes = [
                    number, try await page.newQRSession().accessCode,
                    try #require(try await page.post("/rps/getAccessNumber", [:]).object.string("accessNumber")),
                ]
                for code in codes {
                    let told = try await kiosk.details(of: code, .milagro).object
                    #expect(told.string("browserLocation") == location)
                }
            }
        }
    }

    /// Without configured places only addresses are compared.
    @Test(arguments: [("203.0.113.9", "203.0.113.9", "same"), ("203.0.113.9", "198.51.100.7", "other")])
    func withoutPlacesAddressesAreCompared(browser: String, device: String, location: String) async throws {
        try await withBackend(options: ["--trusted-proxy", "127.0.0.1"]) { backend in
            let code = try await backend.from(browser).client.newQRSession().accessCode
            let told = try await backend.from(device).details(of: code, .milagro).object
            #expect(told.string("browserLocation") == location)
        }
    }

    /// The proxy is within the place's network, as in the documentation's examples. An attacker elsewhere adds the
    /// field that the proxy does not write, or one that cannot be read; neither brings the attacker's browser there.
    @Test(arguments: [false, true]) func aClientsOwnHeaderIsNoPlace(refuses: Bool) async throws {
        try await withBackend(
            options: [
                "--trusted-proxy", "127.0.0.0/8", "--trusted-proxy", "[::1]", "--place",
                "library=127.0.0.0/8,192.0.2.0/24",
            ] + (refuses ? ["--refuse-other-places"] : [])
        ) { backend in
            let kiosk = try backend.from(Self.kiosk)
            func location(_ fields: [String: String]) async throws -> JSONObject {
                var page = backend
                for (name, value) in fields { page.headers[try #require(HTTPField.Name(name))] = value }
                return try await kiosk.details(of: try await page.client.newQRSession().accessCode, .milagro).object
            }
            for claim in ["for=unknown", "for=127.0.0.1", "for=192.0.2.8", "rubbish"] {
                let told = try await location(["X-Forwarded-For": Self.away, "Forwarded": claim])
                #expect(
                    told.string("browserLocation") == "other" && told.flag("browserRefused") == (refuses ? true : nil))
            }
            let unnamed = [["X-Forwarded-For": "unknown"], ["Forwarded": "for=192.0.2.8"], [:]]
            for fields in unnamed {
                let told = try await location(fields)
                #expect(told.string("browserLocation") == (refuses ? "other" : "unknown"))
                #expect(told.flag("browserRefused") == (refuses ? true : nil))
            }
            #expect(backend.log.text.contains("names no address of its client"))
        }
    }

    /// A claim of a stranger that is no proxy is ignored.
    @Test func onlyAProxyIsBelieved() async throws {
        try await withBackend(options: ["--place", "here=127.0.0.1"]) { backend in
            let code = try await backend.from(Self.away).client.newQRSession().accessCode
            #expect(
                try await backend.details(of: code, .milagro).object.string("browserLocation") == "same")
            let page = try await Stranger("127.0.0.2", at: backend).post("/rps/getQrUrl", [[:]])[0]
            let other = try #require(page.object.string("qrUrl")?.split(separator: "#").last.map(String.init))
            #expect(
                try await backend.details(of: other, .milagro).object.string("browserLocation") == "other")
        }
    }
}
