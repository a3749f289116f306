// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Signing documents. The PIN is checked first, the signature is for the hash, and sessions get their signature.
@Suite struct SigningTests {
    static let document = Array("I owe you 5 EUR \u{2764}".utf8)

    @Test func hashesAndComparesDocuments() {
        let abc = MPin.hashDocument(Array("abc".utf8))
        #expect(hex(abc) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let hash = hex(MPin.hashDocument(Self.document))
        #expect(MPin.verifyDocument(Self.document, hash: Array(hash.utf8)))
        #expect(MPin.verifyDocument(Self.document, hash: Array(hash.uppercased().utf8)))
        for wrong in [
            "", hash + "00", String(hash.dropLast()), String(hash.dropLast()) + "g", hash.replacing("a", with: "b"),
        ] {
            #expect(!MPin.verifyDocument(Self.document, hash: Array(wrong.utf8)), "\(wrong)")
        }
        // The digest itself is not its hexadecimal text.
        #expect(!MPin.verifyDocument(Self.document, hash: MPin.hashDocument(Self.document)))
        #expect(!MPin.verifyDocument(Self.document + [0x20], hash: Array(hash.utf8)))
    }

    @Test(arguments: DialectName.later) func signs(_ generation: DialectName) async throws {
        let device = try await Device(generation).ready()
        let user = try await device.signer()
        #expect(user.canSign && user.signingPINLength == (device.server.isTrust ? nil : 4))
        let digest = MPin.hashDocument(Self.document)
        let signature = try await device.mpin.sign(documentHash: digest, as: user, pin: makePin(device.signingPIN))
        #expect(signature.hash == hex(digest) && signature.timestamp == UInt32(Device.now))
        #expect(signature.dtas == ScriptedServer.dtas && signature.publicKey.count == 256)
        #expect((signature.mpinID == user.mpinID) == device.server.isTrust)
        #expect(device.server.accepts(signature))
        #expect(object(device.transport.requests[0])?["scope"] as? [String] == ["dvs-auth"])
        #expect(object(device.transport.requests[0])?["publicKey"] as? String == signature.publicKey)
        #expect(device.paths == ["/rps/v2/pass1", "/rps/v2/pass2", "/rps/v2/authenticate"])
        // Digits of either case are the same digest, and the relying party's time is used.
        let again = try await device.mpin.sign(
            documentHash: Array(hex(digest).uppercased().utf8), as: user, pin: makePin(device.signingPIN),
            timestamp: 1_700_000_000)
        #expect(again.hash == hex(digest) && again.timestamp == 1_700_000_000 && device.server.accepts(again))
        #expect(again.u != signature.u && again.v != signature.v)
        #expect(
            signature.json
                == #"{"hash":"\#(signature.hash)","mpinId":"\#(signature.mpinID)","u":"\#(signature.u)","v":"\#(signature.v)","#
                + #""publicKey":"\#(signature.publicKey)","dtas":"\#(signature.dtas)"}"#)
        // The identity still logs in, with its own PIN.
        try await device.logIn(user)
    }

    @Test(arguments: DialectName.later) func anImpossibleSignatureMakesNoRequest(_ generation: DialectName) async throws
    {
        let device = try await Device(generation).ready()
        let user = try await device.signer()
        let pin = device.signingPIN
        let mpin = device.mpin
        let digest = MPin.hashDocument(Self.document)
        for wrong in [[], Array(digest.dropLast()), digest + [0], Array(repeating: UInt8(ascii: "g"), count: 64)] {
            await expect(.flowError) { try await mpin.sign(documentHash: wrong, as: user, pin: makePin(pin)) }
        }
        await expect(.pinInputCanceled) { try await mpin.sign(documentHash: digest, as: user, pin: nil) }
        // The length of a separate PIN is the person's secret.
        if device.server.isTrust {
            await expect(.flowError) { try await mpin.sign(documentHash: digest, as: user, pin: makePin("12345")) }
        }
        #expect(device.transport.requests.isEmpty)
        // Invalid times: 1970 itself, and after 2038.
        for time in [0, UInt32(1) << 31] {
            await expect(.cryptoError) {
                try await mpin.sign(documentHash: digest, as: user, pin: makePin(pin), timestamp: time)
            }
        }
    }

    @Test(arguments: DialectName.later) func theThirdWrongPINBlocks(_ generation: DialectName) async throws {
        let device = try await Device(generation).ready()
        let user = try await device.signer()
        let digest = MPin.hashDocument(Self.document)
        for number in 1...3 {
            await expect(.incorrectPIN, number < 3 ? .wrongPIN : .blocked, for: "\(number)") {
                try await device.mpin.sign(documentHash: digest, as: user, pin: makePin("9999"))
            }
            #expect(try await device.mpin.user(user.key)?.state == (number < 3 ? .registered : .blocked))
        }
        // The right PIN is not sent any more.
        device.transport.forgetRequests()
        await expect(.flowError, .misuse) {
            try await device.mpin.sign(documentHash: digest, as: user, pin: makePin(device.signingPIN))
        }
        #expect(device.transport.requests.isEmpty)
    }

    // MARK: Keys for signing (mfa-v2)

    @Test func theThirdWrongPINForAKeyBlocks() async throws {
        let (device, user) = try await Device.with(.registered, .mfaV2)
        for number in 1...3 {
            await expect(.incorrectPIN, number < 3 ? .wrongPIN : .blocked, for: "\(number)") {
                try await device.mpin.startRegistrationDVS(of: user, pin: makePin("9999"))
            }
            #expect(try await device.mpin.user(user.key)?.state == (number < 3 ? .registered : .blocked))
        }
    }

    @Test func registersAKeyForSigning() async throws {
        let device = try await Device(.mfaV2).ready()
        let mpin = device.mpin
        var user = try await device.user(.registered)
        let digest = MPin.hashDocument(Self.document)
        await expect(.flowError) { try await mpin.sign(documentHash: digest, as: user, pin: makePin("5678")) }
        await expect(.flowError) { try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("5678")) }
        await expect(.pinInputCanceled) { try await mpin.startRegistrationDVS(of: user, pin: nil) }
        #expect(device.transport.requests.isEmpty)

        await expect(.incorrectPIN) { try await mpin.startRegistrationDVS(of: user, pin: makePin("9999")) }
        device.transport.forgetRequests()
        try await mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
        #expect(
            device.paths == [
                "/rps/v2/pass1", "/rps/v2/pass2", "/rps/v2/authenticate", "/rps/v2/dvsregister", "/dta/2/0",
            ])
        #expect(object(device.transport.requests[0])?["scope"] as? [String] == ["dvs-reg"])
        #expect(object(device.transport.requests[0])?["publicKey"] == nil)
        #expect(
            device.bodies[3].wholeMatch(
                of: #/\{"publicKey":"[0-9a-f]{256}","deviceName":"kiosk","dvsRegisterToken":"key-token-\d+"\}/#) != nil)
        await expect(.cryptoError) { try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("000000")) }
        await expect(.pinInputCanceled) { try await mpin.finishRegistrationDVS(of: user, pinDVS: nil) }
        device.storage.failure = IdentityStorageError(.unavailable, detail: "full")
        await expect(.storageError) { try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("567890")) }
        #expect(try await mpin.user(user.key)?.canSign == false)
        device.storage.failure = nil
        user = try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("567890"))
        #expect(user.canSign && user.signingPINLength == 6 && user.pinLength == 4 && user.state == .registered)
        // Another length costs a try as any wrong PIN does: only the person chose it, so its refusal would tell it.
        await expect(.incorrectPIN) { try await mpin.sign(documentHash: digest, as: user, pin: makePin("5678")) }
        let made = try await mpin.sign(documentHash: digest, as: user, pin: makePin("567890"))
        #expect(device.server.accepts(made))
        // The shares are gone, so another key needs another registration.
        await expect(.flowError) { try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("5678")) }
        try await mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
        user = try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("5678"))
        let next = try await device.next()
        let signedAgain = try await next.mpin.sign(documentHash: digest, as: user, pin: makePin("5678"))
        #expect(device.server.accepts(signedAgain))
        try await next.logIn(user)
    }

    @Test func saysWhenNoRightToRegisterAKeyCame() async throws {
        let (device, user) = try await Device.with(.registered, .mfaV2)
        for reply in [
            "{}", #"{"dvsRegister":{}}"#, #"{"dvsRegister":{"token":"t","curve":"P256"}}"#, #"{"dvsRegister":7}"#,
        ] {
            device.transport.on(.post, "/rps/v2/authenticate", .json(reply))
            await expect(.responseParseError, for: "\(reply)") {
                try await device.mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
            }
        }
        #expect(!device.paths.contains("/rps/v2/dvsregister"))
    }

    // MARK: Signing sessions (trust)

    @Test(arguments: DialectName.trust) func signsWhatASessionAsksFor(_ generation: DialectName) async throws {
        let platform = try ScriptedServer(generation)
        let device = try await Device(platform) { $0.pinnedDialects = ["rps.test": generation] }.ready()
        let user = try await device.user(.registered)
        let digest = hex(MPin.hashDocument(Self.document))
        device.server.change { $0.sessionHash = digest }
        let session = try await device.mpin.signingSessionDetails(for: accessCode)
        #expect(session.hash == digest && session.description == "Pay 5 EUR" && session.details.appName == "Shop")
        #expect(session.details.isSigningSession && !session.isSigned)
        let code = text(accessCode)
        if generation == .trust2023 {
            #expect(session.userID == "alice@example.com" && session.expireTimeSeconds == 1_795_252_999)
            #expect(device.paths == ["/dvs/session/details"] && device.bodies == [#"{"id":"\#(code)"}"#])
        } else {
            #expect(device.bodies == [#"{"status":"wid","wid":"\#(code)"}"#])
        }
        device.transport.forgetRequests()
        let signature = try await device.mpin.sign(session, as: user, pin: makePin("1234"))
        #expect(device.server.accepts(signature) && signature.hash == digest)
        #expect(device.transport.requests.count == 4)
        let end = try #require(device.transport.requests.last)
        if generation == .trust2023 {
            #expect(end.method == .put && end.url.path == "/dvs/session")
            #expect(
                end.body.map(text)
                    == #"{"id":"\#(code)","signature":\#(signature.json),"timestamp":\#(signature.timestamp)}"#)
        } else {
            let sent = #"\#(signature.json.dropLast()),"timestamp":\#(signature.timestamp)}"#
            #expect(
                end.body.map(text)
                    == #"{"status":"signed","wid":"\#(code)","signature":"\#(Data(sent.utf8).base64EncodedString())"}"#)
        }
        #expect(device.server.change { $0.signed } == 1)
        device.transport.forgetRequests()
        try await device.mpin.abortSigningSession(session)
        let abort = try #require(device.transport.requests.last)
        #expect(abort.method == (generation == .trust2023 ? .delete : .post))
        #expect(
            abort.body.map(text)
                == (generation == .trust2023 ? #"{"id":"\#(code)"}"# : #"{"status":"abort","wid":"\#(code)"}"#))
    }

    @Test(arguments: DialectName.trust) func aWrongPINHandsNothingIn(_ generation: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        device.server.change { $0.sessionHash = String(repeating: "ab", count: 32) }
        let session = try await device.mpin.signingSessionDetails(for: accessCode)
        await expect(.incorrectPIN) { try await device.mpin.sign(session, as: user, pin: makePin("9999")) }
        #expect(device.server.change { $0.signed } == 0)
    }

    @Test(arguments: DialectName.trust) func refusesASessionThatSignsNothing(_ generation: DialectName) async throws {
        let platform = try ScriptedServer(generation)
        let device = try await Device(platform) { $0.pinnedDialects = ["rps.test": generation] }.ready()
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.signingSessionDetails(for: accessCode)
        }
        // Both ways were tried, the likelier one first.
        let ways = ["/rps/v2/codeStatus", "/dvs/session/details"]
        #expect(device.paths == (generation == .trust2025 ? ways : ways.reversed()))
        #expect(error?.status == .incorrectAccessNumber)
        device.transport.on(.post, "/rps/v2/codeStatus", .json(#"{"hash":"abcd"}"#))
        device.transport.on(.post, "/dvs/session/details", .json(#"{"hash":"abcd"}"#))
        await expect(.responseParseError) { try await device.mpin.signingSessionDetails(for: accessCode) }
    }
}
