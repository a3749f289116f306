// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Changing the PIN in every dialect. After a success only the new PIN works, after any failure only the old one.
@Suite struct ChangePINTests {
    @Test(arguments: DialectName.allCases) func theNewPINWorks(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try #require(try await change.mpin.user(change.user.key))
        let saves = change.storage.changes
        let user = try await change.mpin.changePIN(of: change.user, from: makePin("1234"), to: makePin("4321"))
        #expect(user == before)
        // One login for the verdict, and one save.
        let requests = change.transport.requests
        #expect(requests.map(\.url.path) == [change.pass1, change.pass2, change.verdict])
        #expect(change.storage.changes == saves + 1)
        let sent = requests.compactMap { object($0) }
        let scope = change.isClassic ? nil : dialect == .mfaV2 ? ["oidc"] : ["dvs-auth"]
        #expect(sent[0]["scope"] as? [String] == scope)
        #expect(sent[1]["WID"] as? String == (change.device.server.isTrust ? nil : "0"))
        #expect(sent[1]["OTP"] as? Bool == (change.isClassic ? false : nil))
        try await change.expect("4321", not: "1234")
    }

    /// The classic servers do not prescribe the length of a PIN.
    @Test(arguments: [DialectName.milagro, .mfaV1]) func theNewPINMayBeLonger(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let user = try await change.mpin.changePIN(of: change.user, from: makePin("1234"), to: makePin("739154"))
        #expect(user.pinLength == 6)
        try await change.expect("739154", not: "1234")
    }

    /// Another try needs no new start.
    @Test(arguments: DialectName.allCases) func theThirdWrongPINBlocks(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        for number in 1...3 {
            let error = try await change.fails(from: "1111")
            #expect(error?.status == .incorrectPIN && error?.isFinalRefusal == (number == 3), "\(number)")
            guard number < 3 else { continue }
            #expect(try await change.storage.identities() == before, "\(number)")
        }
        #expect(try await change.mpin.user(change.user.key)?.state == .blocked)
        #expect(try await change.fails()?.status == .flowError)
    }

    /// The client reports its own errors before the server checks and counts the old PIN.
    @Test(arguments: DialectName.allCases) func anImpossibleChangeMakesNoRequest(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        #expect(try await change.fails(to: "1234")?.kind == .samePIN)
        #expect(try await change.fails(to: "0000")?.kind == .unusablePIN)
        #expect(try await change.fails(from: nil)?.status == .pinInputCanceled)
        #expect(try await change.fails(to: nil)?.status == .pinInputCanceled)
        if change.isClassic {
            // The same number, with which the old PIN would still work.
            #expect(try await change.fails(to: "01234")?.kind == .samePIN)
            #expect(try await change.fails(to: "00000")?.kind == .unusablePIN)
        } else {
            #expect(try await change.fails(from: "12345")?.status == .flowError)
            #expect(try await change.fails(to: "54321")?.status == .flowError)
        }
        change.storage.shortage = IdentityStorageError(.full, detail: "no room")
        #expect(try await change.fails()?.kind == .storage(.full))
        change.storage.shortage = nil
        #expect(change.transport.requests.isEmpty)
        try await change.expectUnchanged(since: before)
        // That login used up the start.
        change.transport.forgetRequests()
        #expect(try await change.fails()?.status == .flowError)
        #expect(change.transport.requests.isEmpty)
    }

    /// The disk is full just when the new token is saved.
    @Test(arguments: DialectName.allCases) func aStoreThatFailsKeepsTheOldPIN(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        let memory = try await change.mpin.user(change.user.key)
        change.transport.on(.post, change.verdict) { [storage = change.storage] _ in
            storage.failure = IdentityStorageError(.full, detail: "no room")
            return .json(#"{"status":200}"#)
        }
        let error = try await change.fails()
        #expect(error?.kind == .storage(.full))
        #expect(error?.detail.contains("the old PIN goes on working") == true)
        change.storage.failure = nil
        #expect(try await change.mpin.user(change.user.key) == memory)
        try await change.expectUnchanged(since: before)
    }

    @Test(arguments: DialectName.allCases)
    func aRequestThatWasNotSentChangesNothing(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        for path in [change.pass1, change.pass2, change.verdict] {
            change.transport.on(.post, path, .lost(false))
            let error = try await change.fails()
            #expect(error?.status == .networkError && error?.outcomeIsUnknown == false, "\(path)")
            #expect(try await change.storage.identities() == before, "\(path)")
            change.device.server.install()
        }
        try await change.expectUnchanged(since: before)
    }

    /// The person does not wait, and the server answers after the call has ended.
    @Test(arguments: DialectName.allCases) func aLateVerdictChangesNothing(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        change.transport.on(.post, change.verdict, .silence)
        let task = Task { try await change.fails() }
        await change.transport.waitForRequest(.post, change.verdict)
        task.cancel()
        let error = try await task.value
        #expect(error?.status == .networkError && error?.outcomeIsUnknown == true)
        try await change.expectUnchanged(since: before)
    }

    /// Pass 2 accepts every PIN, so the last call must be a real success.
    @Test(arguments: DialectName.allCases) func onlyTheVerdictCounts(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        let before = try await change.storage.identities()
        var behaviours: [FakeTransport.Behaviour] = [
            .json(ForeignReplyTests.bodies[0]), .json("<html>Sign in to the hotel network</html>"), .json("[]"),
            .status(302), .status(500),
        ]
        // On today's platform every status from 200 to 299 is a success.
        if !change.device.server.isTrust { behaviours += [.json("{}", status: 201), .status(204)] }
        if !change.isClassic { behaviours.append(.json(#"{"status":401,"message":"no"}"#)) }
        for behaviour in behaviours {
            change.transport.on(.post, change.verdict, behaviour)
            #expect(try await change.fails() != nil, "\(behaviour)")
            try await change.expectUnchanged(since: before)
            try await change.mpin.startAuthentication(of: change.user)
        }
    }

    /// The login that proves the old PIN brings a new secret, and the new PIN is for that secret.
    @Test(arguments: DialectName.later) func aRenewedSecretGetsTheNewPIN(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        change.device.server.change { ($0.renews, $0.newest) = (true, 1) }
        let changed = try await change.mpin.changePIN(of: change.user, from: makePin("1234"), to: makePin("4321"))
        #expect(changed.mpinID != change.user.mpinID && changed.pinLength == 4)
        try await change.expect("4321", not: "1234")
    }

    /// The new secret arrives, but the login with it fails. The old PIN is for that secret.
    @Test(arguments: DialectName.later) func aRenewalThatIsNotProvedKeepsThePIN(_ dialect: DialectName) async throws {
        let change = try await PINChange(dialect)
        change.device.server.change { ($0.renews, $0.newest) = (true, 1) }
        change.transport.on(.get, "/dta/2/1") { [server = change.device.server] request in
            server.transport.on(.post, "/rps/v2/authenticate", .lost(true))
            return server.share(request)
        }
        #expect(try await change.fails()?.outcomeIsUnknown == true)
        let renewed = try #require(try await change.mpin.user(change.user.key))
        #expect(renewed.mpinID != change.user.mpinID)
        try await change.expect("1234", not: "4321")
    }

    /// A signing key with its own PIN keeps that PIN. A PIN for both purposes is changed for both.
    @Test(arguments: DialectName.later) func aSeparateSigningPINStays(_ dialect: DialectName) async throws {
        let device = try await Device(dialect).ready()
        let user = try await device.signer()
        try await device.mpin.startAuthentication(of: user)
        let changed = try await device.mpin.changePIN(of: user, from: makePin("1234"), to: makePin("4321"))
        #expect(changed.canSign && changed.signingPINLength == user.signingPINLength)
        let next = try await device.next()
        let digest = MPin.hashDocument(Array("pay".utf8))
        let signingPIN = device.server.isTrust ? "4321" : device.signingPIN
        await expect(.incorrectPIN) {
            try await next.mpin.sign(documentHash: digest, as: changed, pin: makePin("1234"))
        }
        let signature = try await next.mpin.sign(documentHash: digest, as: changed, pin: makePin(signingPIN))
        #expect(device.server.accepts(signature))
        try await next.logIn(changed, pin: "4321")
    }

    /// A person changes the PIN back and forth on a bad network. The stored state is always the one that the call
    /// reported.
    @Test(arguments: 0..<UInt64(12)) func oneOfTheTwoWorksOnABadNetwork(_ seed: UInt64) async throws {
        let change = try await PINChange(.milagro)
        let faults = FaultPlan(seed: seed, network: [.beforeSending, .afterSending], oneIn: 4)
        var pins = ["1234", "4321"]
        for round in 0..<12 {
            do { try await change.mpin.startAuthentication(of: change.user) } catch {}
            for path in [change.pass1, change.pass2, change.verdict] {
                guard let fault = faults.network(path) else { continue }
                change.transport.onNext(.post, path, .lost(fault != .beforeSending, .transferFailed))
            }
            let before = try await change.storage.identities()
            let error = try await change.fails(from: pins[0], to: pins[1])
            if error == nil { pins.swapAt(0, 1) } else { #expect(try await change.storage.identities() == before) }
            // Remove rules for requests that were not made.
            change.device.server.install()
            #expect(try await !change.works(pins[1]), "seed \(seed), round \(round)")
            #expect(try await change.works(pins[0]), "seed \(seed), round \(round)")
        }
    }
}
