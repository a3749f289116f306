// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import LinuxSystem
import MPinCrypto
import Patience
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

/// The calls between RPS, relying party and platform.
@Suite struct ServiceContractTests {
    private static func code(_ body: () async throws -> Void) async -> Int? {
        do { try await body() } catch { return (error as? Refusal)?.code }
        return nil
    }

    @Test func anRPSIsOneService() async throws {
        try await withBackend { backend in
            let site = backend.backend.classicSites[0]
            let rps: any RPSService = site.rps
            let picture = try await rps.openPage(for: nil)
            #expect(picture.text.hasPrefix(backend.url + "#"))
            #expect(picture.expires == backend.clock.now + LoginSession.lifetime)
            #expect(try await rps.access(AccessRequest(webOTT: picture.webOTT)).status == "new")
            #expect(AccessNumber.isOne(try await rps.makePageNumber(of: picture.webOTT)))
            #expect(try await rps.access(AccessRequest(webOTT: try .random())).status == "expired")

            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            let accessCode = try #require(picture.text.split(separator: "#").last.map(String.init))
            async let final = device.logInBrowser(pin: "1234", accessCode: accessCode)
            var access = try await rps.access(AccessRequest(webOTT: picture.webOTT))
            try await Patience.until {
                access = try await rps.access(AccessRequest(webOTT: picture.webOTT))
                return access.status == "authenticate"
            }
            let authOTT = try #require(OneTimeToken(access.authOTT))
            let logout = LogoutOffer(data: .object(["sessionToken": "x"]), url: "/logout")
            let verdict = try await rps.verdict(VerdictRequest(authOTT: authOTT, logout: logout))
            #expect(verdict.userID == "alice@example.com" && verdict.deviceWaits)
            #expect(Hexadecimal.text(verdict.mpinID.bytes) == device.mpinIDHex)
            // Only once.
            #expect(
                await Self.code { _ = try await rps.verdict(VerdictRequest(authOTT: authOTT, logout: logout)) } == 408)
            let decision = LoginDecision(authOTT: authOTT, status: 200, message: "OK", logout: LogoutOffer())
            try await rps.finish(decision)
            #expect(await Self.code { try await rps.finish(decision) } == 408)
            let reply = try await final
            #expect(reply.status == 200 && reply.object.string("logoutURL") == "/logout")
            #expect(reply.object.object("logoutData")?.string("sessionToken") == "x")
            #expect(await Self.code { try await rps.activate(MPinID([1]), key: "x") } == 401)
        }
    }

    @Test func aVerdictIsTold() async throws {
        try await withBackend { backend in
            let site = backend.backend.classicSites[0]
            let rps: any RPSService = site.rps
            let device = try await Device.registered("alice@example.com", pin: "1234", at: backend)
            var codes: [Int?] = []
            for pin in ["9999", "9998", "9997", "1234"] {
                let second = try await device.passes(pin: pin, permit: try await device.permit())
                let authOTT = second.object.string("authOTT").flatMap { OneTimeToken($0) }
                codes.append(
                    await Self.code {
                        _ = try await rps.verdict(VerdictRequest(authOTT: authOTT, logout: LogoutOffer()))
                    })
                backend.clock.letDelaysPass()
            }
            #expect(codes == [401, 401, 410, 410])
        }
    }

    @Test func aPlatformIsOneService() async throws {
        try await withBackend { backend in
            let project = try await TrustProject(.trust2025, at: backend)
            let site = try #require(backend.backend.platformSites.first { $0.mount.base == project.base })
            let platform: any PlatformService = site.relyingParty.platform
            let session = try await platform.openPage(for: nil)
            #expect(session.qrText == project.url + "#" + session.accessCode)
            let access = try await platform.access(PlatformAccessRequest(webOTT: session.webOTT))
            #expect(access.status == "new" && access.userID.isEmpty && access.signature == nil)
            #expect(try await platform.access(PlatformAccessRequest(webOTT: nil)).status == "expired")
            let device = try await TrustDevice.registered("alice@example.com", pin: "1234", at: project)
            let (hash, now) = (Hexadecimal.text(Digest.sha256([1])), backend.clock.now)
            func signature(pin: String, _ change: [String: JSONValue] = [:]) throws -> SubmittedSignature {
                let made = try device.sign(hash, pin: pin, timestamp: now.seconds).merging(change) { $1 }
                return try SubmittedSignature(JSONObject(made), timestamp: now.seconds)
            }
            let certificate = try #require(try await platform.certificate(for: signature(pin: "1234")))
            let claims: SignatureCertificate? = await WebTokenVerifier(keySet: try await platform.keySet)
                .payload(of: certificate, at: now)
            #expect(claims?.covers(hash, signedAt: now.seconds) == true)
            // For an unknown identity, and for invalid points.
            let noPoint = JSONValue.string(String(repeating: "0", count: 130))
            for change: [String: JSONValue] in [["mpinId": "00"], ["u": noPoint]] {
                #expect(try await platform.certificate(for: signature(pin: "1234", change)) == nil)
            }
            #expect(await Self.code { _ = try await platform.certificate(for: signature(pin: "9999")) } == 401)
        }
    }
}
