// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The service of a scanned address and the dialect of a backend, in the protocol's order.
@Suite struct DiscoveryTests {
    static let base = "https://rps.test/mobile-login"

    @Test func findsAServiceBelowTheAddressFirst() async throws {
        let device = try Device(.mfaV2)
        device.transport.on(.get, "/mobile-login/service", .json(Self.service("below")))
        let details = try await details(device, Self.base)
        #expect(details.name == "below" && details.rpsPrefix == "rps/v2")
        #expect(device.paths == ["/mobile-login/service"])
    }

    @Test(arguments: [FakeTransport.Behaviour.status(404), .json("<html>not here</html>"), .json("[]")])
    func thenAtItsOrigin(_ first: FakeTransport.Behaviour) async throws {
        let device = try Device(.mfaV2)
        device.transport.on(.get, "/mobile-login/service", first)
        let details = try await details(device, Self.base)
        #expect(details.name == "Test")
        #expect(
            device.paths == [
                "/mobile-login/service", "/mobile-login/.well-known/project-configuration", "/service",
            ])
    }

    @Test func thenAProject() async throws {
        let device = try Device(.trust2025)
        let details = try await details(device, Self.base)
        #expect(details.name.isEmpty && details.backendURL.absoluteText == "https://rps.test")
        #expect(
            device.paths == [
                "/mobile-login/service", "/mobile-login/.well-known/project-configuration", "/service",
                "/.well-known/project-configuration",
            ])
        // The result is cached: setting the backend makes no request.
        device.transport.forgetRequests()
        try await device.mpin.setBackend(details.backendURL, rpsPrefix: details.rpsPrefix, namedBy: details.namedBy)
        #expect(device.transport.requests.isEmpty)
        #expect(try await device.mpin.dialectOfBackend() == .trust2025)
        #expect(await device.mpin.makeNewUser("a").projectID == "project1")
    }

    /// The origin itself may be a service, another project, or neither.
    @Test(arguments: [true, false], [true, false])
    func aProjectMayLiveBelowAPath(_ originIsService: Bool, _ originIsProject: Bool) async throws {
        let device = try Device(.trust2025)
        device.transport.on(.get, "/service", originIsService ? .json(Self.service("origin")) : .status(404))
        device.transport.on(
            .get, "/.well-known/project-configuration",
            originIsProject ? .json(#"{"id":"project2"}"#) : .status(404))
        device.transport.on(.get, "/mobile-login/.well-known/project-configuration", .json(#"{"id":"project1"}"#))
        let details = try await details(device, Self.base)
        #expect(details.backendURL.absoluteText == Self.base)
        #expect(device.paths == ["/mobile-login/service", "/mobile-login/.well-known/project-configuration"])
        try await device.mpin.setBackend(details.backendURL, rpsPrefix: details.rpsPrefix, namedBy: details.namedBy)
        _ = try? await device.mpin.sessionDetails(for: accessCode)
        #expect(device.paths.last == "/mobile-login/rps/v2/codeStatus")
    }

    @Test func thenThePlatformForItsHosts() async throws {
        let entry = try TrustEntry("login.test")
        let url = try WebAddress("https://rps.test")
        let device = try Device(.mfaV2) {
            $0.platform = MPin.Platform(projectURL: url, scannedHosts: [entry])
        }
        device.transport.on(.get, "/service", .status(404))
        let found = try await details(device, "https://login.test/x")
        #expect(found.backendURL == url)
        let error = await expect(.httpRequestError) { try await details(device, "https://rps.test/x") }
        #expect(error?.httpStatus == 404)
    }

    /// Any other answer of a service is final.
    @Test(arguments: [
        (FakeTransport.Behaviour.status(412), Status.badClientVersion), (.status(406), .badUserAgent),
        (.status(403), .httpRequestError), (.status(500), .httpServerError), (.status(302), .networkError),
        (.json("{}"), .responseParseError), (.json(#"{"name":"x"}"#), .responseParseError),
        (.lost(true), .networkError),
    ]) func doesNotLookElsewhere(_ behaviour: FakeTransport.Behaviour, _ status: Status) async throws {
        let device = try Device(.trust2025)
        device.transport.on(.get, "/service", behaviour)
        let error = await #expect(throws: MPinError.self) { try await details(device, "https://rps.test") }
        #expect(error?.status == status && device.paths == ["/service"])
    }

    @Test func saysWhatTheFirstPlaceSaid() async throws {
        let device = try Device(.trust2025)
        device.transport.on(.get, "/.well-known/project-configuration", .status(500))
        device.transport.on(.get, "/service", .json("<html>"))
        let html = await expect(.responseParseError) { try await details(device, "https://rps.test") }
        #expect(html?.httpStatus == 200)
        device.transport.on(.get, "/service", .status(404))
        let missing = await expect(.httpRequestError) { try await details(device, "https://rps.test") }
        #expect(missing?.httpStatus == 404)
    }

    @Test func anotherProjectIsAContradiction() async throws {
        let device = try Device(.trust2025) { $0.companyID = "project2" }
        let scanned = await expect(.responseParseError) { try await details(device, "https://rps.test") }
        #expect(scanned?.detail.contains("another project") == true)
        await expect(.responseParseError) { try await device.setBackend() }
        // Without a configured id any project is accepted.
        let open = try Device(.trust2025) { $0.companyID = nil }
        _ = try await details(open, "https://rps.test")
        try await open.setBackend()
        _ = try await open.mpin.sessionDetails(for: accessCode)
        #expect(open.transport.requests.last?.headers.contains(HTTPHeader("X-MIRACL-CID", "project1")) == true)
    }

    @Test(arguments: ["", "a b", "a#b", String(repeating: "p", count: 129), "pro\u{E9}"])
    func aProjectHasAPlainName(_ id: String) async throws {
        let device = try Device(.trust2025) { $0.companyID = nil }
        try await device.mpin.initialize()
        device.transport.on(.get, "/.well-known/project-configuration", .json(#"{"id":"\#(id)"}"#))
        let error = await #expect(throws: MPinError.self) {
            try await device.setBackend()
        }
        #expect(error?.httpStatus == 404)
    }

    // MARK: Client settings

    static var classic: [String: Any] {
        [
            "registerURL": "/rps/user", "signatureURL": "/rps/signature", "certivoxURL": "https://dta.test/",
            "mpinAuthServerURL": "/rps", "authenticateURL": "/a", "mobileAuthenticateURL": "/b", "timePermitsURL": "/t",
            "appID": "a1",
        ]
    }

    static var settings: [(name: String, prefix: String, more: [String: Any], dialect: DialectName?)] {
        [
            ("permits", "rps", [:], .milagro), ("permits said", "rps", ["usePermits": true], .milagro),
            ("no permits", "rps", ["usePermits": false], .mfaV1), ("the prefix", "rps/v2", [:], .mfaV2),
            ("the prefix with slashes", "/rps/v2/", [:], .mfaV2),
            ("a place for keys", "rps", ["dvsRegURL": "/d"], .mfaV2),
            ("pass 1", "rps", ["pass1URL": "/p1", "pass2URL": "/p2"], .mfaV2),
            ("half of pass 1", "rps", ["pass1URL": "/p1"], .mfaV2), ("no addresses", "rps", ["registerURL": 7], nil),
            ("no addresses", "rps/v2", ["signatureURL": ""], nil),
            ("no permits' address", "rps", ["timePermitsURL": ""], nil),
            ("a contradiction", "rps/v2", ["usePermits": true], nil),
            ("another one", "rps", ["usePermits": true, "dvsRegURL": "/d"], nil),
        ]
    }

    @Test(arguments: settings.indices) func theSettingsShowTheDialect(_ index: Int) async throws {
        let (_, prefix, more, dialect) = Self.settings[index]
        let device = try Device()
        try await device.mpin.initialize()
        device.transport.on(.get, "*", json(Self.classic.merging(more) { $1 }))
        guard let dialect else {
            await expect(.responseParseError) {
                try await device.mpin.setBackend(try WebAddress("https://rps.test"), rpsPrefix: prefix)
            }
            return
        }
        try await device.mpin.setBackend(try WebAddress("https://rps.test"), rpsPrefix: prefix)
        #expect(try await device.mpin.dialectOfBackend() == dialect)
        #expect(try await device.mpin.clientParameter("appID") == "a1")
    }

    @Test func takesThePassesFromTheSettings() async throws {
        let (device, user) = try await Device.with(.registered, .mfaV2)
        var settings = device.server.settings
        settings["pass1URL"] = "https://login.test/one"
        settings["pass2URL"] = "/two"
        device.transport.on(.get, "/rps/v2/clientSettings", json(settings))
        try await device.mpin.setBackend(try WebAddress("https://rps.test"), rpsPrefix: "rps/v2")
        device.transport.on(.post, "/one", .json(#"{"y":"05"}"#))
        _ = try? await device.logIn(user)
        #expect(
            device.transport.requests.map(\.url.absoluteText).suffix(2) == [
                "https://login.test/one", "https://rps.test/two",
            ])
    }

    @Test(arguments: [404, 410]) func aBackendWithoutSettingsMayBeAProject(_ status: Int) async throws {
        let device = try Device(.trust2025)
        try await device.mpin.initialize()
        device.transport.on(.get, "/rps/clientSettings", .status(status))
        try await device.setBackend()
        #expect(device.paths == ["/rps/clientSettings", "/.well-known/project-configuration"])
        #expect(try await device.mpin.dialectOfBackend() == .trust2025)
        #expect(try await device.mpin.clientParameter("appID") == nil)
        // Any other error is final.
        let other = try Device(.trust2025)
        try await other.mpin.initialize()
        other.transport.on(.get, "/rps/clientSettings", .status(500))
        await #expect(throws: MPinError.self) { try await other.setBackend() }
        #expect(other.paths == ["/rps/clientSettings"])
        try? await other.mpin.testBackend(try WebAddress("https://rps.test"))
        await #expect(throws: MPinError.self) { try await other.mpin.dialectOfBackend() }
    }

    /// A project with a missing path may have become another kind of backend.
    @Test func aLostPathIsAskedAboutAgain() async throws {
        let device = try await Device(.trust2025).ready()
        let url = try WebAddress("https://rps.test")
        try await device.mpin.setBackend(url)
        #expect(device.transport.requests.isEmpty)
        device.transport.on(.post, "/rps/v2/codeStatus", .status(404))
        _ = try? await device.mpin.sessionDetails(for: accessCode)
        device.transport.forgetRequests()
        try await device.mpin.setBackend(url)
        #expect(device.paths == ["/rps/clientSettings", "/.well-known/project-configuration"])
    }

    // MARK: Pinning

    @Test(arguments: DialectName.allCases) func theConfigurationWins(_ dialect: DialectName) async throws {
        let device = try Device(.mfaV2) { $0.pinnedDialects = ["rps.test": dialect] }
        try await device.mpin.initialize()
        var settings = Self.classic
        settings["usePermits"] = false
        settings["dvsRegURL"] = "/d"
        device.transport.on(.get, "/rps/v2/clientSettings", json(settings))
        try await device.mpin.setBackend(try WebAddress("https://rps.test"), rpsPrefix: "rps/v2")
        #expect(try await device.mpin.dialectOfBackend() == dialect)
        // A configured dialect needs no request.
        #expect(device.transport.requests.isEmpty == DialectName.trust.contains(dialect))
    }

    @Test func aPinnedHostIsAProject() async throws {
        let device = try Device(.mfaV2) { $0.pinnedDialects = ["rps.test": .trust2025] }
        let found = try await details(device, Self.base)
        #expect(found.backendURL.absoluteText == "https://rps.test" && device.transport.requests.isEmpty)
        // A request is needed if the project's id is not configured.
        let open = try Device(.trust2025) {
            $0.pinnedDialects = ["rps.test": .trust2025]
            $0.companyID = nil
        }
        _ = try await details(open, Self.base)
        #expect(
            open.paths == ["/mobile-login/.well-known/project-configuration", "/.well-known/project-configuration"])
    }

    @Test func aPinnedProjectMayTellItsName() async throws {
        let device = try Device(.trust2025) {
            $0.pinnedDialects = ["rps.test": .trust2025]
            $0.companyID = nil
        }
        try await device.mpin.initialize()
        try await device.setBackend()
        #expect(device.paths == ["/.well-known/project-configuration"])
        let silent = try Device(.mfaV2) {
            $0.pinnedDialects = ["rps.test": .trust2025]
            $0.companyID = nil
        }
        try await silent.mpin.initialize()
        await expect(.responseParseError) { try await silent.setBackend() }
    }

    @Test func anIdentityKeepsItsDialect() async throws {
        let (old, user) = try await Device.with(.registered)
        // The backend has changed its kind.
        let device = try await Device(try ScriptedServer(.mfaV2), storage: old.storage).ready()
        let error = await expect(.responseParseError) { try await device.mpin.startAuthentication(of: user) }
        #expect(device.transport.requests.isEmpty)
        #expect(error?.detail.contains("mfa-v2") == true && error?.detail.contains("milagro") == true)
        #expect(try await device.mpin.user(user.key)?.state == .registered)
    }

    @Test func projectsDoNotMix() async throws {
        let (first, user) = try await Device.with(.registered, .trust2025)
        let second = Device(first.server, storage: first.storage) { $0.companyID = nil }
        try await second.mpin.initialize()
        second.transport.on(.get, "/.well-known/project-configuration", .json(#"{"id":"project2"}"#))
        try await second.setBackend()
        #expect(try await second.mpin.users().isEmpty)
        await expect(.flowError) { try await second.mpin.startAuthentication(of: user) }
        #expect(try await second.mpin.users(ofBackend: "https://rps.test") == [user])
        #expect(try await second.mpin.backends() == ["rps.test"])
        // Another project id removes the backend.
        try await first.mpin.setClientID("project2")
        await #expect(throws: MPinError.self) { try await first.mpin.users() }
    }

    private func details(_ device: Device, _ address: String) async throws -> ServiceDetails {
        try await device.mpin.initialize()
        return try await device.mpin.serviceDetails(at: try WebAddress(address))
    }

    private static func service(_ name: String) -> String {
        #"{"name":"\#(name)","url":"https://rps.test","rps_prefix":"rps/v2","logo_url":"","type":"online"}"#
    }
}
