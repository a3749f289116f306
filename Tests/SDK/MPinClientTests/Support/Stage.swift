// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A device that is ready for the call that makes one request, and can repeat the call.
struct Stage {
    let endpoint: Endpoint
    let device: Device
    let user: User
    private let session: SigningSession?

    var transport: FakeTransport { device.transport }

    init(_ endpoint: Endpoint, _ device: Device? = nil, trust: TrustPolicy = Device.trust()) async throws {
        self.endpoint = endpoint
        self.device =
            try device
            ?? Device(ScriptedServer(endpoint.dialect), trust: trust) {
                // Then there are no other requests.
                if endpoint.dialect == .trust2023 { $0.pinnedDialects = ["rps.test": endpoint.dialect] }
            }
        let device = self.device
        if endpoint == .project { try await device.mpin.initialize() } else { _ = try await device.ready() }
        switch endpoint {
        case .restart, .secretShare1, .secretShare2: user = try await device.user(.startedRegistration)
        default: user = try await device.user(endpoint.needsUser ? .registered : .invalid)
        }
        device.server.change { ($0.isActive, $0.sessionHash) = (true, String(repeating: "ab", count: 32)) }
        if endpoint.isOfLogin { try await device.mpin.startAuthentication(of: user) }
        if endpoint == .logout { try await device.logIn(user) }
        session = endpoint == .handIn ? try await device.mpin.signingSessionDetails(for: accessCode) : nil
        device.transport.forgetRequests()
    }

    /// Answers the request.
    func on(_ behaviour: FakeTransport.Behaviour) { transport.on(endpoint.method, endpoint.path, behaviour) }

    func reply(_ body: [UInt8], status: Int = 200) {
        on(.reply(HTTPResponse(status: status, body: SecretBytes(copying: body))))
    }

    /// Brings the device where the call makes the request again.
    private func prepare() async throws {
        let mpin = device.mpin
        switch endpoint {
        case .secretShare2:
            // The first D-TA's share can be fetched only once.
            _ = try? await mpin.restartRegistration(of: user)
            device.server.change { $0.isActive = true }
        case .logout: if await !mpin.canLogout(user) { try await device.logIn(user) }
        case .laterRegister, .registration: await forget()
        case .signature, .share, .secretURL:
            await forget()
            _ = try await device.activated(user)
        case .startVerification: try await mpin.deleteUser(user)
        case .authenticate, .authenticateForCode, .statement, .registrationCode, .laterPass1, .laterPass2:
            try await mpin.startAuthentication(of: user)
        default: break
        }
    }

    private func forget() async {
        await device.mpin.forgetShares(of: user)
        try? await device.mpin.deleteUser(user)
    }

    /// Makes the call.
    ///
    /// - Returns: the error; nil for a success.
    func callFails() async throws -> MPinError? {
        try await prepare()
        return try await failure { try await call() }
    }

    private func call() async throws {
        let mpin = device.mpin
        let address = try WebAddress(ScriptedServer.url)
        let pin = try makePin("1234")
        switch endpoint {
        case .service: _ = try await mpin.serviceDetails(at: try WebAddress("https://login.test"))
        case .settings: try await mpin.setBackend(address)
        case .test, .project: try await mpin.testBackend(address)
        case .laterSettings: try await mpin.testBackend(address, rpsPrefix: "rps/v2")
        case .sessionDetails, .laterSession: _ = try await mpin.sessionDetails(for: accessCode)
        case .abort, .laterAbort: try await mpin.abortSession(accessCode)
        case .register: _ = try await mpin.startRegistration(of: user)
        case .restart: _ = try await mpin.restartRegistration(of: user)
        case .secretShare1, .secretShare2, .signature, .share, .secretURL:
            _ = try await mpin.confirmRegistration(of: user)
        case .announce, .permitShare1, .permitStorage, .permitShare2:
            try await mpin.startAuthentication(of: user, accessCode: accessCode)
        case .pass1, .pass2, .browserSession, .laterPass1, .laterPass2, .authenticate:
            _ = try await mpin.finishAuthentication(of: user, pin: pin, accessCode: accessCode)
        case .relyingParty: _ = try await mpin.finishAuthentication(of: user, pin: pin)
        case .oneTimePassword: _ = try await mpin.finishAuthenticationOTP(of: user, pin: pin)
        case .authorizationCode: _ = try await mpin.finishAuthenticationMFA(of: user, pin: pin)
        case .logout: try await mpin.logout(user)
        case .startVerification: _ = try await mpin.startVerification(of: user)
        case .finishVerification: _ = try await mpin.finishVerification(of: user, code: VerificationTests.code)
        case .laterRegister, .registration: _ = try await device.activated(user)
        case .authenticateForCode, .registrationCode: _ = try await mpin.finishAuthenticationRegCode(of: user, pin: pin)
        case .statement: _ = try await mpin.finishAuthenticationJWT(of: user, pin: pin)
        case .keyRegistration: try await mpin.startRegistrationDVS(of: user, pin: pin)
        case .signingSession, .dvsSession: _ = try await mpin.signingSessionDetails(for: accessCode)
        case .handIn: _ = try await mpin.sign(try #require(session), as: user, pin: pin)
        case .authorizationURL:
            _ = try await mpin.accessCode(fromAuthorizationURL: try WebAddress(ScriptedServer.url + "/authorize"))
        }
    }

    /// The server's regular answer. Replies about an identity are for this device's; others are for another one, so
    /// that nothing is used up here.
    func goodReply() async throws -> [String: Any] {
        let stage = endpoint == .permitShare1 ? self : try await Stage(endpoint)
        #expect(try await stage.callFails() == nil)
        let body = try #require(stage.device.server.lastReply(to: endpoint.path))
        return object(body) ?? [:]
    }

    /// Expects that the same call succeeds with a normal server, and that no untrusted host was asked.
    func worksAgain() async throws {
        device.server.install()
        #expect(try await callFails() == nil)
        expectTrustedHosts()
    }

    func expectTrustedHosts(_ comment: @autoclosure () -> Comment? = nil) {
        let trusted = Device.trust()
        #expect(transport.requests.allSatisfy { trusted.allows($0.url.origin) }, comment())
    }
}
