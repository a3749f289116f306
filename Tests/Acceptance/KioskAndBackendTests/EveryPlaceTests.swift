// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import CurlTransport
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client at every place of one backend, with the code of the place's own page, for every dialect of the
/// origin.
@Suite struct EveryPlaceTests {
    @Test(arguments: Dialect.allCases) func isFoundByItsOwnPage(_ origin: Dialect) async throws {
        try await withClient(origin) { kiosk in
            for dialect in Dialect.allCases {
                let place = kiosk.backend.below("/" + dialect.rawValue)
                let comment = Comment("\(dialect) below an origin of \(origin)")
                let browser = Browser(place)
                _ = try await browser.get("/")
                let text =
                    dialect.isClassic ? try await browser.accessCode() : try await browser.accessID(below: place.base)
                let code = try #require(AccessCode(text))
                let found = try await kiosk.mpin.serviceDetails(at: try WebAddress(place.url))
                // Even classic places name addresses below their own path.
                #expect(found.backendURL.absoluteText == place.url, comment)
                try await kiosk.mpin.setBackend(found.backendURL, rpsPrefix: found.rpsPrefix)
                _ = try await kiosk.mpin.sessionDetails(for: code)
                let user = try await register(kiosk, place, dialect, code)
                let named: Dialect = dialect == .milagroWithoutPermits ? .milagro : dialect
                if dialect != .milagroWithoutPermits {
                    #expect(user.dialect?.rawValue == named.rawValue, comment)
                }
                try await logIn(kiosk, user, browser, dialect, place)
                for user in try await kiosk.mpin.allUsers() { try await kiosk.mpin.deleteUser(user) }
                kiosk.backend.clock.advance(by: .seconds(700))
            }
        }
    }

    /// A kiosk in default settings has no company id, and a backend in default settings asks for none.
    @Test(arguments: Dialect.allCases) func takesAKioskInDefaultSettings(_ dialect: Dialect) async throws {
        try await withBackend(options: ["--dialect", dialect.rawValue]) { backend in
            let transport = try CurlHTTPTransport(
                CurlHTTPTransport.Configuration(addressPolicy: AddressPolicy(allowed: [.loopback])))
            let storage = InMemoryStorage()
            let trust = TrustPolicy(
                entries: [try TrustEntry(OwnClient.name(of: backend))], allowsLoopbackHTTP: true)
            let mpin = MPin(
                transport: transport, storage: storage, trust: trust,
                configuration: MPin.Configuration(clientVersion: "1.0"),
                wallClock: { [clock = backend.clock] in clock.now.seconds }, logger: backend.log.logger)
            try await mpin.initialize()
            let kiosk = OwnClient(
                backend: backend, dialect: dialect, network: StepTransport(transport), storage: storage, trust: trust,
                mpin: mpin)
            let browser = Browser(backend)
            _ = try await browser.get("/")
            let text = dialect.isClassic ? try await browser.accessCode() : try await browser.accessID(below: "")
            let code = try #require(AccessCode(text))
            let found = try await mpin.serviceDetails(at: try WebAddress(backend.addresses.publicURL))
            try await mpin.setBackend(found.backendURL, rpsPrefix: found.rpsPrefix, namedBy: found.namedBy)
            _ = try await mpin.sessionDetails(for: code)
            let user = try await register(kiosk, backend, dialect, code)
            try await logIn(kiosk, user, browser, dialect, backend)
            await transport.shutdown()
        }
    }

    private func register(
        _ kiosk: OwnClient, _ place: RunningBackend, _ dialect: Dialect, _ code: AccessCode
    ) async throws -> User {
        let new = await kiosk.mpin.makeNewUser("alice@example.com", deviceName: "front door")
        if dialect.isTrust { return try await kiosk.register(new, code: try await kiosk.verified(new)) }
        var user = try await kiosk.mpin.startRegistration(of: new, accessCode: code)
        try await place.confirmNewestMail()
        user = try await kiosk.mpin.confirmRegistration(of: user)
        return try await kiosk.mpin.finishRegistration(of: user, pin: newPIN("1234"))
    }

    private func logIn(
        _ kiosk: OwnClient, _ user: User, _ browser: Browser, _ dialect: Dialect, _ place: RunningBackend
    ) async throws {
        _ = try await browser.get("/")
        let text = dialect.isClassic ? try await browser.accessCode() : try await browser.accessID(below: place.base)
        let code = try #require(AccessCode(text))
        try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
        async let login = kiosk.mpin.finishAuthentication(of: user, pin: newPIN("1234"), accessCode: code)
        #expect(try await browser.waitForLogin() == "alice@example.com")
        _ = try await login
        #expect(try await browser.get("/protected").status == 200)
    }
}
