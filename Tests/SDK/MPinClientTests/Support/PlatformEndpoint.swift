// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient

/// Every request of the dialects since 2018 whose reply is read, by purpose.
enum PlatformEndpoint: String, CaseIterable {
    case settings, project, sessionDetails, abort, startVerification, finishVerification
    case register, signature, share, registration, secretURL
    case pass1, pass2, authenticate, authenticateForCode, quickCode, statement, keyRegistration
    case signingSession, dvsSession, handIn, authorizationURL

    var generation: DialectName {
        switch self {
        case .settings, .register, .signature, .share, .keyRegistration, .authorizationURL: .mfaV2
        case .dvsSession: .trust2023
        default: .trust2025
        }
    }

    var method: HTTPRequest.Method {
        switch self {
        case .settings, .project, .signature, .share, .secretURL: .get
        case .register: .put
        default: .post
        }
    }

    var path: String {
        switch self {
        case .settings: "/rps/v2/clientSettings"
        case .project: "/.well-known/project-configuration"
        case .sessionDetails, .abort, .signingSession, .handIn: "/rps/v2/codeStatus"
        case .startVerification: "/verification/email"
        case .finishVerification: "/verification/confirmation"
        case .register: "/rps/v2/user*"
        case .signature: "/rps/v2/signature/*"
        case .share: "/dta/2/0"
        case .registration: "/registration"
        case .secretURL: "/dta/1/0"
        case .pass1: "/rps/v2/pass1"
        case .pass2: "/rps/v2/pass2"
        case .authenticate, .authenticateForCode, .statement: "/rps/v2/authenticate"
        case .quickCode: "/verification/quickcode"
        case .keyRegistration: "/rps/v2/dvsregister"
        case .dvsSession: "/dvs/session/details"
        case .authorizationURL: "/authorize"
        }
    }

    var isFinal: Bool { [.authenticate, .authenticateForCode, .statement].contains(self) }
}

/// A device that is ready for the call that makes one request, and can repeat the call.
struct PlatformStage {
    let endpoint: PlatformEndpoint
    let device: PlatformDevice
    let user: User
    let session: SigningSession?

    init(_ endpoint: PlatformEndpoint, trust: TrustPolicy = Device.trust()) async throws {
        self.endpoint = endpoint
        let platform = try ScriptedPlatform(endpoint.generation)
        let pinned = endpoint.generation
        device = PlatformDevice(platform, trust: trust) {
            // Then there are no other requests.
            if pinned == .trust2023 { $0.pinnedDialects = ["rps.test": pinned] }
        }
        platform.change {
            $0.isActive = true
            $0.sessionHash = String(repeating: "ab", count: 32)
        }
        try await device.mpin.initialize()
        guard endpoint != .project else {
            user = await device.mpin.makeNewUser("alice@example.com")
            session = nil
            return
        }
        _ = try await device.ready()
        switch endpoint {
        case .startVerification, .finishVerification, .register, .registration, .signature, .share, .secretURL:
            user = await device.mpin.makeNewUser("alice@example.com")
        default:
            user = try await device.register()
            try await device.mpin.startAuthentication(of: user)
        }
        session = endpoint == .handIn ? try await device.mpin.signingSessionDetails(for: accessCode) : nil
        device.transport.forgetRequests()
    }

    /// Makes the call.
    ///
    /// - Returns: the error; nil for a success.
    func callFails() async throws -> MPinError? {
        let mpin = device.mpin
        let url = try WebAddress(ScriptedPlatform.url)
        switch endpoint {
        case .register, .registration: await forget()
        case .signature, .share, .secretURL:
            await forget()
            _ = try await mpin.startRegistration(of: user, activateCode: PlatformDevice.token)
        case .startVerification: try await mpin.deleteUser(user)
        case .authenticate, .authenticateForCode, .statement, .quickCode, .pass1, .pass2:
            try await mpin.startAuthentication(of: user)
        default: break
        }
        let pin = try makePin("1234")
        do throws(MPinError) {
            switch endpoint {
            case .settings: try await mpin.testBackend(url, rpsPrefix: "rps/v2")
            case .project: try await mpin.testBackend(url)
            case .sessionDetails: _ = try await mpin.sessionDetails(for: accessCode)
            case .abort: try await mpin.abortSession(accessCode)
            case .startVerification: _ = try await mpin.startVerification(of: user)
            case .finishVerification: _ = try await mpin.finishVerification(of: user, code: VerificationTests.code)
            case .register, .registration:
                _ = try await mpin.startRegistration(of: user, activateCode: PlatformDevice.token)
            case .signature, .share, .secretURL: _ = try await mpin.confirmRegistration(of: user)
            case .pass1, .pass2, .authenticate:
                _ = try await mpin.finishAuthentication(of: user, pin: pin, accessCode: accessCode)
            case .authenticateForCode, .quickCode: _ = try await mpin.finishAuthenticationRegCode(of: user, pin: pin)
            case .statement: _ = try await mpin.finishAuthenticationJWT(of: user, pin: pin)
            case .keyRegistration: try await mpin.startRegistrationDVS(of: user, pin: pin)
            case .signingSession, .dvsSession: _ = try await mpin.signingSessionDetails(for: accessCode)
            case .handIn:
                guard let session else { return nil }
                _ = try await mpin.sign(session, as: user, pin: pin)
            case .authorizationURL:
                _ = try await mpin.accessCode(fromAuthorizationURL: url.appended("/authorize"))
            }
            return nil
        } catch {
            return error
        }
    }

    private func forget() async {
        await device.mpin.forgetShares(of: user)
        try? await device.mpin.deleteUser(user)
    }

    func reply(_ body: [UInt8], status: Int = 200) {
        device.transport.on(endpoint.method, endpoint.path) { _ in
            .reply(HTTPResponse(status: status, body: SecretBytes(copying: body)))
        }
    }
}

extension WebAddress {
    fileprivate func appended(_ path: String) throws(MPinError) -> WebAddress {
        do { return try appending(path) } catch { throw MPinError(.misuse, detail: "\(error)") }
    }
}
