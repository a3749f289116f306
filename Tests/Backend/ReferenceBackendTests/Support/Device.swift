// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import MPinCrypto
import Testing

@testable import BackendValues
@testable import ReferenceBackend

/// A device written for these tests from the protocol's description only.
struct Device: Sendable {
    let backend: RunningBackend
    let mpinIDHex: String
    let token: Token

    private var client: HTTPClient { backend.client }

    private static func digits(_ pin: String) throws -> PinFactor {
        let bytes = Array(pin.utf8)
        return try PinFactor(digits: bytes.span)
    }

    private static func hex(_ object: JSONObject, _ name: String) throws -> [UInt8] {
        try #require(object.string(name).flatMap { Hexadecimal.bytes($0) })
    }

    /// Registers `userID`, confirms the mail, fetches both shares and makes the token.
    ///
    /// - Parameter accessCode: the browser session of the registration.
    static func registered(
        _ userID: String, pin: String, accessCode: String? = nil, at backend: RunningBackend
    ) async throws -> Device {
        var body: [String: JSONValue] = ["userId": .string(userID), "mobile": 1]
        if let accessCode { body["wid"] = .string(accessCode) }
        let started = try await backend.client.put("/rps/user", body)
        try #require(started.status == 200)
        let mpinIDHex = try #require(started.object.string("mpinId"))
        let regOTT = try #require(started.object.string("regOTT"))
        try await backend.confirmNewestMail()
        return try await finishing(mpinIDHex, regOTT: regOTT, pin: pin, at: backend)
    }

    static func finishing(
        _ mpinIDHex: String, regOTT: String, pin: String, at backend: RunningBackend
    ) async throws -> Device {
        let first = try await backend.client.get("/rps/signature/\(mpinIDHex)?regOTT=\(regOTT)")
        try #require(first.status == 200)
        let params = try #require(first.object.string("params"))
        let second = try await backend.authority.get("/clientSecret?\(params)")
        try #require(second.status == 200)
        let secret = try ClientSecret(
            combining: ClientSecretShare(bytes: hex(first.object, "clientSecretShare")),
            ClientSecretShare(bytes: hex(second.object, "clientSecret")))
        let identity = MPinIdentity(MPinID(try #require(Hexadecimal.bytes(mpinIDHex))))
        let token = try Token(extracting: digits(pin), from: secret, for: identity)
        return Device(backend: backend, mpinIDHex: mpinIDHex, token: token)
    }

    var mpinID: MPinID { MPinID(Hexadecimal.bytes(mpinIDHex) ?? []) }

    func permit() async throws -> TimePermit {
        let first = try await client.get("/rps/timePermit/\(mpinIDHex)")
        try #require(first.status == 200)
        let hash = try #require(first.object.string("storageId"))
        let signature = try #require(first.object.string("signature"))
        let date = try #require(first.object.integer("date"))
        let second = try await backend.authority.get(
            "/timePermit?hash_mpin_id=\(hash)&app_id=x&mobile=1&signature=\(signature)")
        try #require(second.status == 200)
        return try TimePermit(
            combining: TimePermitShare(bytes: Self.hex(first.object, "timePermit")),
            TimePermitShare(bytes: Self.hex(second.object, "timePermit")), day: EpochDay(UInt32(date)))
    }

    /// Sends both passes and returns the reply of the second.
    func passes(pin: String, accessCode: String = "0", otp: Bool = false, permit: TimePermit?) async throws -> Reply {
        try await client.post(
            "/rps/pass2", try await passTwoBody(pin: pin, accessCode: accessCode, otp: otp, permit: permit))
    }

    /// Sends pass 1 and returns the body of pass 2.
    func passTwoBody(
        pin: String, accessCode: String = "0", otp: Bool = false, permit: TimePermit?
    ) async throws -> [String: JSONValue] {
        let attempt = try AuthenticationAttempt(
            identity: MPinIdentity(mpinID), token: token, pin: Self.digits(pin), permit: permit)
        let commitment = attempt.commitment
        let first = try await client.post(
            "/rps/pass1",
            [
                "pass": 1, "mpin_id": .string(mpinIDHex), "U": .string(Hexadecimal.text(commitment.u)),
                "UT": .string(Hexadecimal.text(commitment.ut ?? [])),
            ])
        try #require(first.status == 200)
        let response = try attempt.respond(to: Challenge(bytes: Self.hex(first.object, "y")))
        return [
            "pass": 2, "mpin_id": .string(mpinIDHex), "V": .string(Hexadecimal.text(response)),
            "WID": .string(accessCode), "OTP": .boolean(otp),
        ]
    }

    /// A plain login. Returns the reply of the final step.
    func logIn(pin: String, permit given: TimePermit? = nil) async throws -> Reply {
        let permit: TimePermit
        if let given { permit = given } else { permit = try await self.permit() }
        let second = try await passes(pin: pin, permit: permit)
        try #require(second.status == 200)
        return try await client.post("/mpinAuthenticate", ["mpinResponse": .object(second.object.members)])
    }

    /// The final step of a login by code, which waits for the browser.
    func logInBrowser(pin: String, accessCode: String) async throws -> Reply {
        let second = try await passes(pin: pin, accessCode: accessCode, permit: try await permit())
        return try await finishing(second)
    }

    /// As `logInBrowser`, without time permits.
    func logInBrowserWithoutPermit(pin: String, accessCode: String) async throws -> Reply {
        try await finishing(try await passes(pin: pin, accessCode: accessCode, permit: nil))
    }

    private func finishing(_ second: Reply) async throws -> Reply {
        try #require(second.status == 200)
        return try await client.post("/rps/authenticate", ["mpinResponse": .object(second.object.members)])
    }

    func report(_ status: String, accessCode: String, userID: String? = nil) async throws -> Reply {
        var body: [String: JSONValue] = ["status": .string(status), "wid": .string(accessCode)]
        if let userID { body["userId"] = .string(userID) }
        return try await client.post("/rps/codeStatus", body)
    }
}
