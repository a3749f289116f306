// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient

/// A device that is ready for the call that makes one request, and can repeat the call.
struct Stage {
    let endpoint: Endpoint
    let device: Device
    let user: User

    init(_ endpoint: Endpoint, _ device: Device? = nil) async throws {
        self.endpoint = endpoint
        self.device = try await (try device ?? Device()).ready()
        switch endpoint {
        case .service, .settings, .test, .sessionDetails, .abort, .register: user = try await self.device.user(.invalid)
        case .restart, .secretShare1, .secretShare2: user = try await self.device.user(.startedRegistration)
        default: user = try await self.device.user(.registered)
        }
        self.device.backend.change { $0.isActive = true }
        if endpoint.isFinal || [.pass1, .pass2, .logout].contains(endpoint) {
            try await self.device.mpin.startAuthentication(of: user)
        }
        if endpoint == .logout { try await logIn() }
        self.device.transport.forgetRequests()
    }

    /// Makes the call.
    ///
    /// - Returns: the error; nil for a success.
    func callFails() async throws -> MPinError? {
        let address = try WebAddress(ScriptedBackend.backendURL)
        let login = try WebAddress("https://login.test")
        // The first D-TA's share can be fetched only once.
        if endpoint == .secretShare2 {
            _ = try? await device.mpin.restartRegistration(of: user)
            device.backend.change { $0.isActive = true }
        }
        if endpoint == .logout, await !device.mpin.canLogout(user) {
            try await device.mpin.startAuthentication(of: user)
            try await logIn()
        }
        do throws(MPinError) {
            switch endpoint {
            case .service: _ = try await device.mpin.serviceDetails(at: login)
            case .settings: try await device.mpin.setBackend(address)
            case .test: try await device.mpin.testBackend(address)
            case .sessionDetails: _ = try await device.mpin.sessionDetails(for: accessCode)
            case .abort: try await device.mpin.abortSession(accessCode)
            case .register: _ = try await device.mpin.startRegistration(of: user)
            case .restart: _ = try await device.mpin.restartRegistration(of: user)
            case .secretShare1, .secretShare2: _ = try await device.mpin.confirmRegistration(of: user)
            case .announce, .permitShare1, .permitStorage, .permitShare2:
                try await device.mpin.startAuthentication(of: user, accessCode: accessCode)
            case .pass1, .pass2, .browserSession:
                _ = try await device.mpin.finishAuthentication(of: user, pin: pin(), accessCode: accessCode)
            case .relyingParty: _ = try await device.mpin.finishAuthentication(of: user, pin: pin())
            case .oneTimePassword: _ = try await device.mpin.finishAuthenticationOTP(of: user, pin: pin())
            case .authorizationCode: _ = try await device.mpin.finishAuthenticationMFA(of: user, pin: pin())
            case .logout: try await device.mpin.logout(user)
            }
            return nil
        } catch {
            return error
        }
    }

    private func logIn() async throws {
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
    }

    private func pin() throws(MPinError) -> Pin {
        do { return try makePin("1234") } catch { throw MPinError(.noPIN, detail: "\(error)") }
    }
}
