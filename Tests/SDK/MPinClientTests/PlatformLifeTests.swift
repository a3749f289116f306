// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Headers, trusted domains and registration tokens that are added later.
@Suite struct PlatformLifeTests {
    @Test func addsAndClearsHeaders() async throws {
        let device = try await Device().ready()
        let mpin = device.mpin
        try await mpin.addCustomHeaders([HTTPHeader("X-Site", "7"), HTTPHeader("X-MIRACL-OS-Class", "door")])
        try await mpin.addCustomHeaders([HTTPHeader("x-site", "8")])
        _ = try await mpin.sessionDetails(for: accessCode)
        let sent = try #require(device.transport.requests.last).headers
        #expect(sent.contains(HTTPHeader("x-site", "8")) && sent.contains(HTTPHeader("X-MIRACL-OS-Class", "door")))
        #expect(sent.filter { $0.name.lowercased() == "x-site" }.count == 1)
        for wrong in [[HTTPHeader("A", "1"), HTTPHeader("a", "2")], [HTTPHeader("A", "b\r\nc: d")]] {
            await expect(.flowError) { try await mpin.addCustomHeaders(wrong) }
        }
        await mpin.clearCustomHeaders()
        _ = try await mpin.sessionDetails(for: accessCode)
        let rest = try #require(device.transport.requests.last).headers
        #expect(
            rest.contains(HTTPHeader("X-MIRACL-CID", "project1"))
                && rest.contains(HTTPHeader("X-MIRACL-OS-Class", "linux")))
        #expect(!rest.contains { $0.name.lowercased() == "x-site" })
    }

    @Test func trustsTheDomainsItIsTold() async throws {
        let device = Device(try ScriptedServer(.trust2025), trust: nil) { $0.companyID = nil }
        let mpin = device.mpin
        try await mpin.initialize()
        let verdicts: [(String, Bool)] = [
            ("https://rps.test", true), ("https://deep.in.rps.test", true), ("https://evilrps.test", false),
            ("https://rps.test.evil.test", false), ("http://rps.test", false), ("https://rps.test:8443", false),
        ]
        // Without a list nothing is checked.
        for (address, _) in verdicts { _ = try? await mpin.serviceDetails(at: try WebAddress(address)) }
        #expect(Set(device.transport.requests.map(\.url.origin)).count == verdicts.count)
        try await mpin.addTrustedDomain("rps.test")
        for (address, isTrusted) in verdicts {
            device.transport.forgetRequests()
            let error = await mpin.failure(at: try WebAddress(address))
            #expect((error?.status == .untrustedDomainError) != isTrusted, "\(address)")
            #expect(device.transport.requests.isEmpty != isTrusted, "\(address)")
        }
        for wrong in ["", "com", "https://rps.test", "*.rps.test", "a b.test", "127.0.0.1"] {
            await expect(.flowError, for: "\(wrong)") { try await mpin.addTrustedDomain(wrong) }
        }
        try await mpin.addTrustedDomain("other.test")
        #expect(await mpin.failure(at: try WebAddress("https://rps.test"))?.status != .untrustedDomainError)
        await mpin.clearTrustedDomains()
        #expect(await mpin.failure(at: try WebAddress("https://evil.test"))?.status != .untrustedDomainError)
    }

    /// The policy that a client was made with cannot be removed.
    @Test func aPolicyStays() async throws {
        let device = try await Device().ready()
        let evil = try WebAddress("https://evil.test")
        await device.mpin.clearTrustedDomains()
        #expect(await device.mpin.failure(at: evil)?.status == .untrustedDomainError)
        try await device.mpin.addTrustedDomain("evil.test")
        // The service is asked now, and names a backend of another service.
        #expect(await device.mpin.failure(at: evil)?.kind == .untrustedHost(.anotherService))
        // All domains that an application adds itself belong together.
        try await device.mpin.addTrustedDomain("rps.test")
        #expect(await device.mpin.failure(at: evil)?.status != .untrustedDomainError)
        #expect(await device.mpin.failure(at: try WebAddress("https://login.test"))?.status != .untrustedDomainError)
        await device.mpin.clearTrustedDomains()
        #expect(await device.mpin.failure(at: evil)?.status == .untrustedDomainError)
    }

    @Test func completesARegistrationToken() async throws {
        let (device, user) = try await Device.with(.startedRegistration)
        #expect(await !device.mpin.isRegistrationTokenSet(user))
        for wrong in ["", "a b", "\u{E9}", String(repeating: "a", count: 257)] {
            await expect(.flowError) {
                try await device.mpin.setRegistrationToken(SecretBytes(copying: wrong.utf8), of: user)
            }
        }
        device.transport.forgetRequests()
        try await device.mpin.setRegistrationToken(SecretBytes(copying: "5678".utf8), of: user)
        #expect(await device.mpin.isRegistrationTokenSet(user) && device.transport.requests.isEmpty)
        await expect(.flowError) {
            try await device.mpin.setRegistrationToken(SecretBytes(copying: "5678".utf8), of: user)
        }
        // It is stored.
        let second = try await device.next()
        _ = try? await second.mpin.confirmRegistration(of: user)
        let query = try #require(device.transport.requests.last?.url.query)
        #expect(query.wholeMatch(of: #/regOTT=[0-9a-f]{32}5678/#) != nil)
        let fresh = await device.mpin.makeNewUser("bob@example.com")
        await expect(.flowError) {
            try await device.mpin.setRegistrationToken(SecretBytes(copying: "5678".utf8), of: fresh)
        }
    }

}

extension MPin {
    fileprivate func failure(at address: WebAddress) async -> MPinError? {
        do {
            _ = try await serviceDetails(at: address)
            return nil
        } catch { return error }
    }
}
