// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import Testing

@testable import MPinClient

/// Identities that are verified before registration.
@Suite struct VerificationTests {
    static let code = SecretBytes(copying: "1234-code".utf8)

    @Test(arguments: DialectName.later) func verifiesAndRegisters(_ generation: DialectName) async throws {
        let platform = try ScriptedServer(generation)
        let tag = String(repeating: "0f", count: 16)
        let device = try await Device(platform) { $0.deviceTag = tag }.ready()
        let mpin = device.mpin
        let user = await mpin.makeNewUser("alice@example.com", deviceName: "front door")
        let start = try await mpin.startVerification(of: user, accessCode: accessCode)
        let wid = text(accessCode)
        if platform.isTrust {
            #expect(start == VerificationStart(method: .code, backoff: 1_795_252_400))
            #expect(device.paths == ["/verification/email"])
            #expect(
                device.bodies == [
                    #"{"projectId":"project1","userId":"alice@example.com","deviceName":"front door","accessId":"\#(wid)","#
                        + #""deviceTag":"\#(tag)"}"#
                ])
        } else {
            #expect(start == VerificationStart(method: .link, backoff: nil))
            #expect(device.paths == ["/verification"])
            #expect(
                device.bodies == [
                    #"{"userId":"alice@example.com","clientId":"project1","accessId":"\#(wid)","deviceName":"front door"}"#
                ])
        }
        #expect(try await mpin.user(user.key)?.state == .startedVerification)
        // The person may ask for another mail, and the state outlives the client.
        _ = try await mpin.startVerification(of: user)
        let next = try await Device(platform, storage: device.storage) { $0.deviceTag = tag }.ready()
        let waiting = try #require(try await next.mpin.user(user.key))
        #expect(waiting.state == .startedVerification && waiting.deviceName == "front door")
        device.transport.forgetRequests()
        let result = try await next.mpin.finishVerification(of: waiting, code: Self.code)
        #expect(device.paths == ["/verification/confirmation"])
        #expect(
            device.bodies == [
                #"{"userId":"alice@example.com","code":"1234-code""#
                    + (platform.isTrust ? #","deviceTag":"\#(tag)"}"# : "}")
            ])
        #expect(result.activationToken == Device.token && result.accessCode == accessCode)
        #expect(result.expireTimeSeconds == 1_795_252_999 && result.projectID == "project1")
        #expect(try await next.mpin.user(user.key)?.state == .startedVerification)
        let registered = try await next.mpin.startRegistration(
            of: waiting, activateCode: result.activationToken, accessCode: result.accessCode)
        #expect(registered.state == .activated)
        try await next.logIn(try await next.finish(registered))
    }

    /// A code may come from a link that was made for another device.
    @Test(arguments: DialectName.later) func takesACodeThatWasNotAskedForHere(_ generation: DialectName) async throws {
        let device = try await Device(generation).ready()
        let bytes = Array("https://rps.test/verification/confirmation?user_id=alice%40example.com&code=1234-code".utf8)
        let symbol = VerificationLink(symbol: bytes.span)
        let link = try #require(symbol)
        let user = await device.mpin.makeNewUser(link.userID)
        let result = try await device.mpin.finishVerification(of: user, code: link.code)
        #expect(result.activationToken == Device.token)
        #expect(try await device.mpin.users().isEmpty && device.storage.changes == 0)
    }

    /// The platform sends a code or a link depending on the identity on the device.
    @Test(arguments: DialectName.trust) func verifiesForAForgottenPIN(_ generation: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        _ = try await device.mpin.startVerification(of: user)
        #expect(object(try #require(device.transport.requests.last))?["mpinId"] as? String == user.mpinID)
        #expect(try await device.mpin.user(user.key) == user)
        _ = try await device.mpin.finishVerification(of: user, code: Self.code)
        try await device.logIn(user)
    }

    static let errors: [(path: String, body: String, refusal: ServerRefusal?)] = [
        (
            "email", #"{"error":"REQUEST_BACKOFF","info":"","context":{"backoff":"1795252500"}}"#,
            .requestBackoff(until: 1_795_252_500)
        ),
        (
            "email",
            #"{"requestID":"9","error":{"code":"BACKOFF_ERROR","info":"","context":{"backoff":"1795252500"}}}"#,
            .requestBackoff(until: 1_795_252_500)
        ),
        ("email", #"{"error":"SOMETHING_ELSE","info":""}"#, nil), ("email", "no", nil), ("email", "", nil),
        (
            "confirmation", #"{"error":"UNSUCCESSFUL_VERIFICATION","context":{"projectId":"p","accessId":"7a65"}}"#,
            .unsuccessfulVerification(projectID: "p", accessCode: AccessCode("7a65"))
        ),
        (
            "confirmation", #"{"requestID":"9","error":{"code":"INVALID_VERIFICATION_CODE","info":""}}"#,
            .unsuccessfulVerification(projectID: nil, accessCode: nil)
        ),
        (
            "confirmation", #"{"error":"UNSUCCESSFUL_VERIFICATION","context":{"accessId":"no code"}}"#,
            .unsuccessfulVerification(projectID: nil, accessCode: nil)
        ),
        ("confirmation", "{}", nil),
    ]

    @Test(arguments: DialectName.trust, errors.indices)
    func everyRefusalIsAFailedVerification(_ generation: DialectName, _ index: Int) async throws {
        let device = try await Device(generation).ready()
        let (path, body, refusal) = Self.errors[index]
        let user = await device.mpin.makeNewUser("alice@example.com")
        for status in [400, 401, 403, 404, 406, 410, 429, 500, 503] {
            device.server.refuse("/verification/\(path)", status, body)
            let error = await expect(.verificationFailed) {
                if path == "email" {
                    _ = try await device.mpin.startVerification(of: user)
                } else {
                    _ = try await device.mpin.finishVerification(of: user, code: Self.code)
                }
            }
            #expect(error?.httpStatus == status)
            #expect(error?.refusal == refusal)
        }
        #expect(try await device.mpin.users().isEmpty)
    }

    @Test func readsWhatItIsTold() async throws {
        let device = try await Device(.trust2025).ready()
        let user = await device.mpin.makeNewUser("alice@example.com")
        for (reply, expected) in [
            (#"{"backoff":5,"method":"link"}"#, VerificationStart(method: .link, backoff: 5)),
            (#"{"method":"code","link":true}"#, VerificationStart(method: .codeOrLink, backoff: nil)),
            (#"{"method":"code","link":"no"}"#, VerificationStart(method: .code, backoff: nil)),
            (#"{"method":"link","link":false}"#, VerificationStart(method: .link, backoff: nil)),
            (#"{"method":"carrier pigeon"}"#, VerificationStart(method: .link, backoff: nil)),
            ("{}", VerificationStart(method: .link, backoff: nil)),
            (#"{"backoff":"1795252400000","method":"code"}"#, VerificationStart(method: .code, backoff: 1_795_252_400)),
        ] {
            device.transport.on(.post, "/verification/email", .json(reply))
            #expect(try await device.mpin.startVerification(of: user) == expected)
        }
        // The platform before 2023 answers anything; this backend tells it the same way.
        let older = try await Device(.mfaV2).ready()
        let bob = await older.mpin.makeNewUser("bob@example.com")
        for (reply, method) in [
            ("fine", VerificationStart.Method.link), (#"{"method":7}"#, .link), (#"{"method":"code"}"#, .code),
            (#"{"method":"code","link":true}"#, .codeOrLink),
        ] {
            older.transport.on(.post, "/verification", .json(reply))
            #expect(try await older.mpin.startVerification(of: bob).method == method)
        }
        for reply in [
            "{}", #"{"actToken":""}"#, #"{"actToken":7}"#, #"{"actToken":"t","projectId":"another"}"#,
            #"{"actToken":"t","accessId":"a b"}"#, #"{"actToken":"t","expireTime":"soon"}"#, "<html>",
        ] {
            device.transport.on(.post, "/verification/confirmation", .json(reply))
            let error = await #expect(throws: MPinError.self, "\(reply)") {
                try await device.mpin.finishVerification(of: user, code: Self.code)
            }
            #expect(error?.status == .responseParseError)
        }
    }

    @Test func refusesAnEmptyCodeAndAStoreThatRefuses() async throws {
        let device = try await Device(.trust2025).ready()
        let user = await device.mpin.makeNewUser("alice@example.com")
        for code in [[], [UInt8](repeating: 0x61, count: 1025)] {
            await expect(.flowError) {
                try await device.mpin.finishVerification(of: user, code: SecretBytes(copying: code))
            }
            #expect(device.transport.requests.isEmpty)
        }
        device.storage.failure = IdentityStorageError(.unavailable, detail: "full")
        await expect(.storageError) { try await device.mpin.startVerification(of: user) }
        #expect(try await device.mpin.users().isEmpty)
    }

}
