// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import BackendValues
import Encoding
import MPinCrypto
import Testing

@testable import ReferenceBackend

/// The three requests of a login without a browser, one at a time.
extension AnyDevice {
    var mpinIDHex: String {
        switch self {
        case .classic(let device, _): device.mpinIDHex
        case .mfa(let device): device.mpinIDHex
        case .trust(let device): device.mpinIDHex
        }
    }

    /// Sends only pass 1.
    func passOne() async throws -> Reply {
        let scope = "scope"
        switch self {
        case .classic(let device, let usesPermits):
            let u = try Self.commitment(MPinIdentity(device.mpinID), device.token)
            return try await device.backend.client.post(
                "/rps/pass1", ["mpin_id": .string(mpinIDHex), "U": u, "UT": usesPermits ? u : ""])
        case .mfa(let device):
            let settings = try await MFADevice.settings(device.backend)
            return try await device.backend.client.post(
                try MFADevice.path(settings.string("pass1URL"), device.backend),
                [
                    scope: .array(["oidc"]), "mpin_id": .string(mpinIDHex),
                    "U": try Self.commitment(try device.identity, device.token),
                ])
        case .trust(let device):
            return try await device.project.post(
                "/rps/v2/pass1",
                [
                    scope: .array(["jwt"]), "mpin_id": .string(mpinIDHex), "publicKey": .string(device.publicKeyHex),
                    "U": try Self.commitment(try device.identity, device.token),
                ])
        }
    }

    private static func commitment(_ identity: MPinIdentity, _ token: Token) throws -> JSONValue {
        let attempt = try AuthenticationAttempt(
            identity: identity, token: token, pin: TrustDevice.digits("1234"), permit: nil)
        return .string(Hexadecimal.text(attempt.commitment.u))
    }

    /// Sends pass 1 and returns the body of pass 2.
    /// - Parameters:
    ///   - accessCode: the code of the browser to log in; nil without one.
    ///   - isPermitted: called when the device has its time permit.
    func passTwo(
        pin: String, accessCode: String? = nil, isPermitted: () -> Void = {}
    ) async throws -> [String: JSONValue] {
        switch self {
        case .classic(let device, let usesPermits):
            let permit = usesPermits ? try await device.permit() : nil
            isPermitted()
            return try await device.passTwoBody(pin: pin, accessCode: accessCode ?? "0", permit: permit)
        case .mfa(let device):
            return try await device.passTwoBody(pin: pin, scope: "oidc", accessID: accessCode ?? "0")
        case .trust(let device):
            return try await device.passTwoBody(
                pin: pin, scope: accessCode == nil ? "jwt" : "oidc", accessID: accessCode)
        }
    }

    func sendPassTwo(_ body: [String: JSONValue]) async throws -> Reply {
        switch self {
        case .classic(let device, _): try await device.backend.client.post("/rps/pass2", body)
        case .mfa(let device):
            try await device.backend.client.post(
                try MFADevice.path(try await MFADevice.settings(device.backend).string("pass2URL"), device.backend),
                body)
        case .trust(let device): try await device.project.post("/rps/v2/pass2", body)
        }
    }

    /// The body of the last request after pass 2.
    func lastBody(_ second: Reply) throws -> [String: JSONValue] {
        try #require(second.status == 200)
        if case .classic = self { return ["mpinResponse": .object(second.object.members)] }
        return ["authOTT": .string(try #require(second.object.string("authOTT"))), "wam": "dvs"]
    }

    /// Sends both passes and returns the body of the last request.
    func passes(pin: String) async throws -> [String: JSONValue] {
        try lastBody(try await sendPassTwo(try await passTwo(pin: pin)))
    }

    /// Sends the last request for a device whose browser waits.
    func finish(_ body: [String: JSONValue]) async throws -> Reply {
        guard case .classic(let device, _) = self else { return try await handIn(body) }
        return try await device.backend.client.post("/rps/authenticate", body)
    }

    /// Sends the last request.
    func handIn(_ body: [String: JSONValue]) async throws -> Reply {
        switch self {
        case .classic(let device, _):
            let path = device.backend.base == "/mfa-v1" ? "/rps/authenticate" : "/mpinAuthenticate"
            return try await device.backend.client.post(path, body)
        case .mfa(let device):
            let settings = try await MFADevice.settings(device.backend)
            return try await device.backend.client.post(
                try MFADevice.path(settings.string("authenticateURL"), device.backend), body)
        case .trust(let device): return try await device.project.post("/rps/v2/authenticate", body)
        }
    }
}
